package io.github.amb.models.data.example;

import java.nio.ByteBuffer;

/**
 * Examples held as unsigned bytes, in arrays or in mapped files, which all processes of a host
 * share; a feature is {@code byte · (1 / 255)}.
 */
public final class ByteExamples extends LabeledExamples implements StoredExamples {
  /** Factor between a byte and a feature. */
  public static final float SCALE = 1f / 255;

  final ByteBuffer[] files;
  private final int perFile;
  private final int record;
  private final int features;
  private final ThreadLocal<byte[]> pixels;

  /**
   * Keeps the arrays without copying them.
   *
   * @param pixels features of all examples, example by example, unsigned
   * @param labels one class per example, unsigned
   * @throws IllegalArgumentException if the number of pixels is not a multiple of the number of
   *     labels
   */
  public ByteExamples(byte[] pixels, byte[] labels) {
    this(0, Labels.of(labels), ByteBuffer.wrap(pixels));
  }

  /**
   * Examples in records of equal length.
   *
   * @param skipped bytes of a record before its features
   * @param files with equal numbers of records; not copied
   * @throws IllegalArgumentException if the number of pixels is not a multiple of the number of
   *     labels
   */
  public ByteExamples(int skipped, Labels labels, ByteBuffer... files) {
    super(labels);
    this.files = files;
    perFile = labels.count() / files.length;
    record = share("pixels", files[0].limit(), perFile);
    features = record - skipped;
    pixels = ThreadLocal.withInitial(() -> new byte[features]);
  }

  private int start(int example) {
    return (example % perFile + 1) * record - features;
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    byte[] bytes = pixels.get();
    files[example / perFile].get(start(example), bytes);
    for (int i = 0; i < bytes.length; i++) {
      target[i] = (bytes[i] & 0xff) * SCALE;
    }
  }

  @Override
  public Type type() {
    return Type.BYTE;
  }

  @Override
  public void store(int example, ByteBuffer target) {
    target.put(files[example / perFile].slice(start(example), features));
  }
}
