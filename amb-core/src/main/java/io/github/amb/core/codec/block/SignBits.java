package io.github.amb.core.codec.block;

/** The signs of entries, one bit each; zero counts as positive. */
public final class SignBits {
  private SignBits() {}

  public static void encode(float[] values, int from, int count, ByteSink out) {
    int at = out.skip((count + Byte.SIZE - 1) / Byte.SIZE);
    byte[] bytes = out.bytes();
    for (int i = 0; i < count; i += Byte.SIZE) {
      int packed = 0;
      for (int j = Math.min(i + Byte.SIZE, count) - 1; j >= i; j--) {
        packed = packed << 1 | (values[from + j] < 0 ? 1 : 0);
      }
      bytes[at++] = (byte) packed;
    }
  }

  /**
   * Reads {@code count} signs and writes {@code positive} or {@code negative} for each, from {@code
   * values[from]} on.
   */
  public static void decode(
      ByteSource in, float[] values, int from, int count, float positive, float negative) {
    int at = in.skip((count + Byte.SIZE - 1) / Byte.SIZE);
    byte[] bytes = in.bytes();
    for (int i = 0; i < count; i += Byte.SIZE) {
      int packed = bytes[at++];
      for (int j = i; j < Math.min(i + Byte.SIZE, count); j++) {
        values[from + j] = (packed & 1) == 0 ? positive : negative;
        packed >>= 1;
      }
    }
  }
}
