package io.github.amb.runtime.control;

/** What a rank and its launcher say to each other. */
public sealed interface ControlRecord permits Heartbeat, Order, RankReport {}
