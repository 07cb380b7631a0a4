package io.github.amb.core.engine;

/** The kind of vectors that a scheme's workers send to the master. */
public enum Uplink {
  /** Sums of example gradients, which the master adds up. */
  GRADIENTS,
  /** Linear combinations of gradients; the master recovers the sum from them with weights. */
  COMBINATIONS,
  /** Changes of parameters by local updates of a worker. */
  CHANGES,
  /** The same, from which the master also computes corrections, with large factors. */
  CORRECTING_CHANGES,
  /**
   * Changes of parameters, for a master that observes alone. What workers agree on they send to
   * each other, as {@link Message.Kind#ESTIMATE}.
   */
  CONSENSUS,
  /**
   * Changes of parameters by local updates, for a master that observes alone. Workers meet in
   * pairs, and send each other parameters as they are, as {@link Message.Kind#ESTIMATE}.
   */
  PAIRS;

  /** Whether vectors are changes of parameters by updates of a worker. */
  public boolean isOfChanges() {
    return this == CHANGES || this == CORRECTING_CHANGES || this == PAIRS;
  }

  /** Whether the master observes alone. */
  public boolean isObserved() {
    return this == CONSENSUS || this == PAIRS;
  }

  /** Whether vectors must come as they are: where the master multiplies them, and in pairs. */
  public boolean isExact() {
    return this == COMBINATIONS || this == CORRECTING_CHANGES || this == PAIRS;
  }
}
