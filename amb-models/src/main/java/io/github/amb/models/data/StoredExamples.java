package io.github.amb.models.data;

import java.nio.ByteBuffer;

/** Examples that can say how they are stored, so that they can be written to a file. */
interface StoredExamples extends Examples {
  /** How a feature is stored. */
  enum Type {
    /** An unsigned byte, divided by 255 when it is read. */
    BYTE(1),
    /** A float, used as it is. */
    FLOAT(Float.BYTES);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }

    /** Bytes of a feature. */
    int bytes() {
      return bytes;
    }
  }

  /** How all features are stored. */
  Type type();

  /**
   * Writes the features of one example as they are stored.
   *
   * @param target receives them at its position, which moves on; modified
   */
  void store(int example, ByteBuffer target);
}
