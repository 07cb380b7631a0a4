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
  private final float[] targets;

  /**
   * Keeps the arrays without copying them.
   *
   * @param starts where each example begins in the two arrays that follow, and where the last ends
   * @param indices of features, from 0, ascending within an example
   * @param values of these features
   * @param labels one class per example, unsigned
   * @param targets one number per example
   */
  public SparseExamples(
      int[] starts, int[] indices, float[] values, byte[] labels, float[] targets) {
    super(labels);
    this.starts = starts;
    this.indices = indices;
    this.values = values;
    this.targets = targets;
  }

  /** A copy of some examples, in the order given. */
  public SparseExamples select(int[] examples) {
    int[] from = new int[examples.length + 1];
    for (int i = 0; i < examples.length; i++) {
      from[i + 1] = from[i] + starts[examples[i] + 1] - starts[examples[i]];
    }
    int[] some = new int[from[examples.length]];
    float[] their = new float[some.length];
    byte[] labels = new byte[examples.length];
    float[] numbers = new float[examples.length];
    for (int i = 0; i < examples.length; i++) {
      int length = from[i + 1] - from[i];
      System.arraycopy(indices, starts[examples[i]], some, from[i], length);
      System.arraycopy(values, starts[examples[i]], their, from[i], length);
      labels[i] = (byte) label(examples[i]);
      numbers[i] = targets[examples[i]];
    }
    return new SparseExamples(from, some, their, labels, numbers);
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
  public float target(int example) {
    return targets[example];
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    Arrays.fill(target, 0);
    for (int i = starts[example]; i < starts[example + 1]; i++) {
      target[indices[i]] = values[i];
    }
  }
}
