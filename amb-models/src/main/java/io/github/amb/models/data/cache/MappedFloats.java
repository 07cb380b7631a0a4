package io.github.amb.models.data.cache;

import io.github.amb.models.data.Examples;
import java.nio.FloatBuffer;

/**
 * Examples in a mapped file of floats, used unchanged; all processes of a host share the memory.
 */
final class MappedFloats implements Examples {
  private final FloatBuffer features;
  private final byte[] labels;
  private final int size;

  /**
   * @param features example by example, equally many per label
   * @param labels one class per example, unsigned
   */
  MappedFloats(FloatBuffer features, byte[] labels) {
    this.features = features;
    this.labels = labels;
    size = features.limit() / labels.length;
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
  public void copyFeatures(int example, float[] target) {
    features.get(example * size, target, 0, size);
  }
}
