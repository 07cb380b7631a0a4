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
  CONSENSUS;

  /** Whether vectors are changes of parameters that the master applies. */
  public boolean isOfChanges() {
    return this == CHANGES || this == CORRECTING_CHANGES;
  }

  /** Whether the master multiplies vectors, and so their errors. */
  public boolean isMultiplied() {
    return this == COMBINATIONS || this == CORRECTING_CHANGES;
  }
}
