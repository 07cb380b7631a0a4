package io.github.amb.core.sim;

import io.github.amb.core.engine.Message;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A snapshot of a message's floats. All receivers share it; the last one takes the array. */
final class Payload {
  private final Pool pool;
  private final float[] values;
  final int length;
  private int readers;

  /**
   * A snapshot that has been read from a checkpoint.
   *
   * @param values not copied
   * @param readers how often it will be read or released
   */
  Payload(Pool pool, float[] values, int readers) {
    this(pool, values, values.length, readers);
  }

  private Payload(Pool pool, float[] values, int length, int readers) {
    this.pool = pool;
    this.values = values;
    this.length = length;
    this.readers = readers;
  }

  void into(Message message) {
    readers--;
    if (readers == 0) {
      pool.give(message.exchange(values, length));
    } else {
      System.arraycopy(values, 0, message.ensureCapacity(length), 0, length);
    }
  }

  /** Expects one more reader. */
  void retain() {
    readers++;
  }

  /** Expects one reader less. */
  void release() {
    readers--;
    if (readers == 0) {
      pool.give(values);
    }
  }

  /** A copy of the floats. */
  float[] copy() {
    return Arrays.copyOf(values, length);
  }

  /**
   * Arrays that no message uses, by length. Lengths are rounded up to eight sizes per power of two,
   * as those of encoded messages are seldom the same twice.
   */
  static final class Pool {
    private static final int SMALLEST = 64;

    private final Map<Integer, Deque<float[]>> free = new HashMap<>();

    /** A snapshot of {@code message}'s payload. */
    Payload snapshot(Message message, int readers) {
      int length = message.length();
      Deque<float[]> arrays = free.get(size(length));
      float[] values = arrays == null ? null : arrays.poll();
      values = values == null ? new float[size(length)] : values;
      System.arraycopy(message.values(), 0, values, 0, length);
      return new Payload(this, values, length, readers);
    }

    private static int size(int length) {
      int grain = Math.max(SMALLEST, Integer.highestOneBit(length) / Byte.SIZE);
      return (int) Math.min(Integer.MAX_VALUE - 8L, (length + grain - 1L) / grain * grain);
    }

    private void give(float[] array) {
      free.computeIfAbsent(array.length, length -> new ArrayDeque<>()).push(array);
    }
  }
}
