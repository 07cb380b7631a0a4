package io.github.amb.models.data.example;

import org.apache.commons.rng.UniformRandomProvider;

/** Labeled examples in memory; safe to read from several threads. */
public interface Examples {
  /** Number of examples. Their indices start at 0. */
  int count();

  /** Class of an example, from 0; 0 if {@link #targets} are others. */
  int label(int example);

  /** Number of predictions of one example: a text has one at each of its positions. */
  default int positions() {
    return 1;
  }

  /**
   * Writes the classes of all positions of one example.
   *
   * @param target receives {@link #positions()} entries, from index 0; modified
   */
  default void copyLabels(int example, int[] target) {
    target[0] = label(example);
  }

  /** What is to be predicted. */
  default Targets targets() {
    return Targets.CLASS;
  }

  /**
   * A number that a regression predicts for an example, or 1 or 0 for a label of several: its
   * class, unless the data have others.
   *
   * @param index of the number or label, from 0
   */
  default float target(int example, int index) {
    return label(example);
  }

  /** Factor of the losses of a class, label or number in training. */
  default double weight(int label) {
    return 1;
  }

  /** Share of each label that a classification spreads evenly over all classes, from 0. */
  default double smoothing() {
    return 0;
  }

  /**
   * Writes the features of one example, normalized, plane by plane and row by row.
   *
   * @param target receives as many entries as an example has features, from index 0; modified
   */
  void copyFeatures(int example, float[] target);

  /**
   * Writes the features of one example as training uses them: augmented images are changed at
   * random.
   *
   * @param random source of the changes; advanced
   * @param target receives as many entries as an example has features, from index 0; modified
   */
  default void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    copyFeatures(example, target);
  }
}
