package io.github.amb.models.data.example;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * Examples held as floats, used as they are, in an array or in a mapped file, which all processes
 * of a host share.
 */
public final class FloatExamples extends LabeledExamples implements StoredExamples {
  final FloatBuffer features;
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
    this(FloatBuffer.wrap(features), Labels.of(labels));
  }

  /**
   * Keeps the memory without copying it.
   *
   * @param features features of all examples, example by example
   * @throws IllegalArgumentException if the number of features is not a multiple of the number of
   *     labels
   */
  public FloatExamples(FloatBuffer features, Labels labels) {
    super(labels);
    this.features = features;
    this.size = share("features", features.limit(), labels.count());
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    features.get(example * size, target, 0, size);
  }

  @Override
  public Type type() {
    return Type.FLOAT;
  }

  @Override
  public void store(int example, ByteBuffer target) {
    for (int i = 0; i < size; i++) {
      target.putFloat(features.get(example * size + i));
    }
  }
}
