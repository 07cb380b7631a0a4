package io.github.amb.models.data.example;

import java.util.Arrays;

/**
 * Examples of which most features are zero: only the others are held, row by row, in order of their
 * indices.
 */
public final class SparseExamples extends LabeledExamples {
  private final int[] starts;
  private final int[] indices;
  private final float[] values;

  /**
   * Keeps the arrays without copying them.
   *
   * @param starts where each example begins in the two arrays that follow, and where the last ends
   * @param indices of features, from 0, ascending within an example
   * @param values of these features
   */
  public SparseExamples(int[] starts, int[] indices, float[] values, Labels labels) {
    super(labels);
    this.starts = starts;
    this.indices = indices;
    this.values = values;
  }

  /** A copy of some examples, in the order given. */
  public SparseExamples select(int[] examples) {
    int[] from = new int[examples.length + 1];
    for (int i = 0; i < examples.length; i++) {
      from[i + 1] = from[i] + starts[examples[i] + 1] - starts[examples[i]];
    }
    int[] some = new int[from[examples.length]];
    float[] their = new float[some.length];
    for (int i = 0; i < examples.length; i++) {
      int length = from[i + 1] - from[i];
      System.arraycopy(indices, starts[examples[i]], some, from[i], length);
      System.arraycopy(values, starts[examples[i]], their, from[i], length);
    }
    return new SparseExamples(from, some, their, labels.select(examples));
  }

  /** Where an example begins; that of {@code count()} is the end of the last one. */
  public int start(int example) {
    return starts[example];
  }

  /** Index of the feature at a position from {@link #start} on. */
  public int index(int position) {
    return indices[position];
  }

  /** The feature at a position from {@link #start} on. */
  public float value(int position) {
    return values[position];
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    Arrays.fill(target, 0);
    for (int i = starts[example]; i < starts[example + 1]; i++) {
      target[indices[i]] = values[i];
    }
  }
}
