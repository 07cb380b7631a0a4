package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;

/** The upper half of every entry's binary32, rounded to the nearest, ties to even. */
final class Bf16 implements Codec {
  /** Half a unit in the last of 8 significant bits, squared. */
  private static final double ROUNDING = 0x1p-16;

  @Override
  public double errorBound(int... shape) {
    return ROUNDING;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Entries(Shapes.length(shape));
  }

  /** One block's entries. */
  private record Entries(int length) implements BlockCodec {
    private static final int LARGEST = 0x7F7F0000;

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      int at = out.skip(Math.multiplyExact(length, Short.BYTES));
      byte[] bytes = out.bytes();
      for (int i = 0; i < length; i++) {
        int bits = Float.floatToRawIntBits(values[from + i]);
        int magnitude = bits & Finite.MAGNITUDE;
        int rounded = Math.min(magnitude + 0x7FFF + (magnitude >>> 16 & 1), LARGEST);
        int half = (bits & ~Finite.MAGNITUDE | rounded) >>> 16;
        ByteSink.SHORT.set(bytes, at + Short.BYTES * i, (short) half);
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      int at = in.skip(Math.multiplyExact(length, Short.BYTES));
      byte[] bytes = in.bytes();
      for (int i = 0; i < length; i++) {
        short half = (short) ByteSink.SHORT.get(bytes, at + Short.BYTES * i);
        values[from + i] = Float.intBitsToFloat(half << 16);
      }
      MalformedEncodingException.expectFinite(values, from, length);
    }
  }
}
