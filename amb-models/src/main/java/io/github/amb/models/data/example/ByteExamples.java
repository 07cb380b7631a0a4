package io.github.amb.models.data.example;

import java.nio.ByteBuffer;

/** Examples held as unsigned bytes; a feature is {@code byte · (1 / 255)}. */
public final class ByteExamples extends LabeledExamples implements StoredExamples {
  /** Factor between a byte and a feature. */
  public static final float SCALE = 1f / 255;

  private final byte[] pixels;
  private final int features;
  private final float[] normalized = new float[256];

  /**
   * Keeps the arrays without copying them.
   *
   * @param pixels features of all examples, example by example, unsigned
   * @param labels one class per example, unsigned
   * @throws IllegalArgumentException if the number of pixels is not a multiple of the number of
   *     labels
   */
  public ByteExamples(byte[] pixels, byte[] labels) {
    super(labels);
    this.pixels = pixels;
    this.features = share("pixels", pixels.length);
    for (int value = 0; value < normalized.length; value++) {
      normalized[value] = value * SCALE;
    }
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    int start = example * features;
    for (int i = 0; i < features; i++) {
      target[i] = normalized[pixels[start + i] & 0xff];
    }
  }

  @Override
  public Type type() {
    return Type.BYTE;
  }

  @Override
  public void store(int example, ByteBuffer target) {
    target.put(pixels, example * features, features);
  }
}
