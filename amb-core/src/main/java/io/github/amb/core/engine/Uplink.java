package io.github.amb.core.engine;

/** What the vectors are that a scheme's workers send to the master. */
public enum Uplink {
  /** Sums of example gradients, which the master adds up. */
  GRADIENTS,
  /** Linear combinations of gradients; the master recovers the sum from them with weights. */
  COMBINATIONS,
  /** Changes of parameters by steps that a worker took itself. */
  CHANGES
}
