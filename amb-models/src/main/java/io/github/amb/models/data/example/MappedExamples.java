package io.github.amb.models.data.example;

import java.nio.ByteBuffer;

/**
 * Examples in records of mapped files, which all processes of a host share; a feature is {@code
 * byte · (1 / 255)}.
 */
public final class MappedExamples extends LabeledExamples {
  private final ByteBuffer[] files;
  private final int perFile;
  private final int record;
  private final ThreadLocal<byte[]> pixels;

  /**
   * @param files mapped files with equal numbers of records
   * @param record bytes of a record; the features are its last bytes
   * @param features bytes of an example's features
   * @param labels one class per example, unsigned
   */
  public MappedExamples(ByteBuffer[] files, int record, int features, byte[] labels) {
    super(labels);
    this.files = files;
    this.record = record;
    perFile = labels.length / files.length;
    pixels = ThreadLocal.withInitial(() -> new byte[features]);
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    byte[] bytes = pixels.get();
    int end = (example % perFile + 1) * record;
    files[example / perFile].get(end - bytes.length, bytes);
    for (int i = 0; i < bytes.length; i++) {
      target[i] = (bytes[i] & 0xff) * ByteExamples.SCALE;
    }
  }
}
