package io.github.amb.models.data;

import org.apache.commons.rng.UniformRandomProvider;

/** Labeled examples in memory; safe to read from several threads. */
public interface Examples {
  /** Number of examples; their indices are 0 to this − 1. */
  int count();

  /** Class of an example, from 0. */
  int label(int example);

  /** What a regression predicts for an example: its class as a number unless the data have more. */
  default float target(int example) {
    return label(example);
  }

  /**
   * Writes the features of one example, normalized, plane by plane and row by row.
   *
   * @param target receives as many entries as an example has features, from index 0; modified
   */
  void copyFeatures(int example, float[] target);

  /**
   * Writes the features of one example as training takes them: where images are augmented, changed
   * at random.
   *
   * @param random decides about the changes
   * @param target as for {@link #copyFeatures}
   */
  default void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    copyFeatures(example, target);
  }
}
