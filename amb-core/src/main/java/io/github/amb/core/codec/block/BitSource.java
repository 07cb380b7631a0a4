package io.github.amb.core.codec.block;

/** Reads bits that {@link BitSink} wrote, lowest bit first. */
final class BitSource {
  private static final int FILL = 56;

  private final byte[] bytes;
  private int position;
  private final int end;
  private long pending;
  private int available;

  /** Reads the next {@code length} bytes of {@code in}, which are consumed at once. */
  BitSource(ByteSource in, int length) {
    position = in.skip(length);
    end = position + length;
    bytes = in.bytes();
  }

  private void fill() {
    if (position + Long.BYTES <= end) {
      pending |= (long) ByteSink.LONG.get(bytes, position) << available;
      int taken = (Long.SIZE - 1 - available) / Byte.SIZE;
      position += taken;
      available += taken * Byte.SIZE;
      return;
    }
    while (available < FILL && position < end) {
      pending |= (bytes[position++] & 0xFFL) << available;
      available += Byte.SIZE;
    }
  }

  /**
   * Returns the next {@code count} bits, 0 to 32.
   *
   * @throws MalformedEncodingException if fewer are left
   */
  int get(int count) {
    if (available < count) {
      fill();
      if (available < count) {
        throw new MalformedEncodingException("expected more bits, found the end");
      }
    }
    int value = (int) (pending & ((1L << count) - 1));
    pending >>>= count;
    available -= count;
    return value;
  }

  /**
   * Reads zero bits up to the next one bit.
   *
   * @param most the largest valid number of zeros
   * @return the number of zeros
   * @throws MalformedEncodingException if there are more, or the bits end
   */
  int getUnary(int most) {
    long value = 0;
    while (true) {
      if (available == 0) {
        fill();
      }
      int zeros = Math.min(Long.numberOfTrailingZeros(pending), available);
      value += zeros;
      if (available == 0 || value > most) {
        throw new MalformedEncodingException(
            "expected a run of up to %d zeros, found %d or more".formatted(most, value));
      }
      boolean found = zeros < available;
      int taken = found ? zeros + 1 : zeros;
      pending = taken == Long.SIZE ? 0 : pending >>> taken;
      available -= taken;
      if (found) {
        return (int) value;
      }
    }
  }
}
