package io.github.amb.models.data;

import io.github.amb.models.data.example.StoredExamples;
import java.nio.ByteBuffer;

/** Examples held as floats, used as they are. */
public final class FloatExamples implements StoredExamples {
  private final float[] features;
  private final byte[] labels;
  private final float[] targets;
  private final int size;

  /**
   * Keeps the arrays without copying them.
   *
   * @param features features of all examples, example by example
   * @param labels one class per example, unsigned
   * @throws IllegalArgumentException if the number of features is not a multiple of the number of
   *     labels
   */
  public FloatExamples(float[] features, byte[] labels) {
    this(features, labels, null);
  }

  /**
   * Keeps the arrays of a regression without copying them.
   *
   * @param features features of all examples, example by example
   * @param labels one class per example, unsigned
   * @param targets one number per example; null for its class
   * @throws IllegalArgumentException if the number of features is not a multiple of the number of
   *     labels
   */
  FloatExamples(float[] features, byte[] labels, float[] targets) {
    if (labels.length == 0 || features.length % labels.length != 0) {
      throw new IllegalArgumentException(
          "expected the same number of features for each of %d labels, found %d features"
              .formatted(labels.length, features.length));
    }
    this.features = features;
    this.labels = labels;
    this.targets = targets;
    this.size = features.length / labels.length;
  }

  @Override
  public int count() {
    return labels.length;
  }

  @Override
  public int label(int example) {
    return labels[example] & 0xff;
  }

  @Override
  public float target(int example) {
    return targets == null ? label(example) : targets[example];
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    System.arraycopy(features, example * size, target, 0, size);
  }

  @Override
  public Type type() {
    return Type.FLOAT;
  }

  @Override
  public void store(int example, ByteBuffer target) {
    for (int i = 0; i < size; i++) {
      target.putFloat(features[example * size + i]);
    }
  }
}
