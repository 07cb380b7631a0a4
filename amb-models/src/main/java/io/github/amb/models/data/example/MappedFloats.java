package io.github.amb.models.data.example;

import java.nio.FloatBuffer;

/**
 * Examples in a mapped file of floats, used unchanged; all processes of a host share the memory.
 */
final class MappedFloats extends LabeledExamples {
  private final FloatBuffer features;
  private final int size;

  /**
   * @param features example by example, equally many per label
   * @param labels one class per example, unsigned
   */
  MappedFloats(FloatBuffer features, byte[] labels) {
    super(labels);
    this.features = features;
    size = features.limit() / labels.length;
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    features.get(example * size, target, 0, size);
  }
}
