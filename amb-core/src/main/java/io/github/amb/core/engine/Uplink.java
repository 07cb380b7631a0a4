package io.github.amb.core.engine;

/** The kind of vectors that a scheme's workers send to the master. */
public enum Uplink {
  /** Sums of example gradients, which the master adds up. */
  GRADIENTS,
  /** Linear combinations of gradients; the master recovers the sum from them with weights. */
  COMBINATIONS,
  /** Changes of parameters by local updates of a worker. */
  CHANGES
}
