package io.github.amb.core.codec.block;

/** Writes bits to a {@link ByteSink}, lowest bit first. {@link #flush} must follow the last bit. */
final class BitSink {
  private final ByteSink out;
  private long pending;
  private int used;

  BitSink(ByteSink out) {
    this.out = out;
  }

  /**
   * Appends the lowest {@code count} bits of {@code value}.
   *
   * @param value has no bits set beyond {@code count}
   * @param count 0 to 32
   */
  void put(int value, int count) {
    long bits = value & 0xFFFFFFFFL;
    pending |= bits << used;
    used += count;
    if (used >= Long.SIZE) {
      out.putLong(pending);
      used -= Long.SIZE;
      pending = used == 0 ? 0 : bits >>> (count - used);
    }
  }

  /** Appends {@code value} zero bits, then a one bit. */
  void putUnary(int value) {
    int rest = value;
    while (rest >= Integer.SIZE) {
      put(0, Integer.SIZE);
      rest -= Integer.SIZE;
    }
    put(0, rest);
    put(1, 1);
  }

  /** Fills the last byte with zero bits and appends it. */
  void flush() {
    for (; used > 0; used -= Byte.SIZE) {
      out.putByte((int) pending);
      pending >>>= Byte.SIZE;
    }
    used = 0;
    pending = 0;
  }
}
