package io.github.amb.plots.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A rank's activity during a span of time. */
public enum Phase {
  /** Computing gradients. */
  COMPUTE,
  /** Induced delay. */
  SLEEP,
  /** Waiting: a worker for parameters, the master for gradients. */
  WAIT,
  /** Sending a gradient, or parameters. */
  SEND,
  /** Summing gradients and applying the update rule. */
  APPLY;

  /** The name in traces. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What figures call the phases, in their order. */
  static List<String> legend() {
    return Arrays.stream(values())
        .map(phase -> phase == SLEEP ? "induced delay" : phase.label())
        .toList();
  }
}
