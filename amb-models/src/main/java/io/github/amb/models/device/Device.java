package io.github.amb.models.device;

import io.github.amb.core.file.Reading;
import java.nio.FloatBuffer;

/**
 * A device that computes: its memory, and kernels that run in the order in which they are started.
 * Its kernels are those of {@code kernels.cl}, whose header says how they are called. One thread at
 * a time uses it.
 */
public interface Device extends AutoCloseable {
  /** The number of lanes of a group. */
  int LANES = 64;

  /** Memory of the device, in words of 4 bytes. */
  interface Buffer extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A part of a buffer.
   *
   * @param offset index of its first word
   */
  record Array(Buffer buffer, long offset) {
    /** The part that begins {@code words} later. */
    public Array at(long words) {
      return new Array(buffer, offset + words);
    }
  }

  /** A kernel with its arguments. */
  interface Call extends AutoCloseable {
    /** Starts it. */
    void run();

    @Override
    void close();
  }

  /** The source of all kernels. */
  static String kernels() {
    return Reading.text(() -> Device.class.getResourceAsStream("kernels.cl"));
  }

  /** Its name and that of its driver, for records. */
  String description();

  /**
   * New memory.
   *
   * @throws DeviceException if the device has too little
   */
  Buffer allocate(long words);

  /** Copies the first {@code length} entries to the device; they are not modified. */
  void write(FloatBuffer from, Array to, int length);

  /** Copies the first {@code length} entries to the device; they are not modified. */
  void write(int[] from, Array to, int length);

  /** Waits for all kernels, and copies {@code length} entries to index 0 and on. */
  void read(Array from, FloatBuffer to, int length);

  /**
   * Prepares a kernel.
   *
   * @param arguments each an {@link Array}, an {@link Integer} or a {@link Float}
   */
  Call prepare(String kernel, long groups, Object... arguments);

  /**
   * Waits for all kernels.
   *
   * @throws DeviceException if the device failed
   */
  void finish();

  @Override
  void close();
}
