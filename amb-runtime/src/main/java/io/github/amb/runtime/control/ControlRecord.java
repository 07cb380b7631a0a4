package io.github.amb.runtime.control;

/** A record between a rank and its launcher. */
public sealed interface ControlRecord permits Heartbeat, Order, RankReport {}
