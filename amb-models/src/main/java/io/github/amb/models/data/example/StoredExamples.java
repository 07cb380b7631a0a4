package io.github.amb.models.data.example;

import java.nio.ByteBuffer;

/** Examples that can be written to a file in the form in which they are stored. */
public interface StoredExamples extends Examples {
  /** How a feature is stored. */
  enum Type {
    /** An unsigned byte, divided by 255 when it is read. */
    BYTE(1),
    /** A float, used unchanged. */
    FLOAT(Float.BYTES);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }

    /** Number of bytes of a feature. */
    public int bytes() {
      return bytes;
    }
  }

  /** How all features are stored. */
  Type type();

  /**
   * Writes the features of one example as they are stored.
   *
   * @param target receives them at its position, which advances; modified
   */
  void store(int example, ByteBuffer target);
}
