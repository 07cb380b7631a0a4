package io.github.amb.runtime.control;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A record between a rank and its launcher. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface ControlRecord permits Heartbeat, Order, RankReport {}
