package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;

/**
 * Sends every entry as IEEE 754 binary16, rounded to nearest, ties to even. The block is scaled by
 * a power of two first, so that no entry overflows.
 */
final class Fp16 implements Codec {
  /** Squared relative rounding error of normal numbers: half a unit in the last of 11 bits. */
  private static final double ROUNDING = 0x1p-22;

  /** Squared rounding error of subnormal numbers, relative to the largest entry, 2¹⁴ or more. */
  private static final double UNDERFLOW = 0x1p-78;

  @Override
  public double errorBound(int... shape) {
    return ROUNDING + Shapes.length(shape) * UNDERFLOW;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Entries(Shapes.length(shape));
  }

  /** One block's entries. */
  private record Entries(int length) implements BlockCodec {
    /**
     * Exponent of the largest magnitude after scaling; below binary16's 15, to leave room for
     * rounding up.
     */
    private static final int TOP = 14;

    /** Largest magnitude that is not rounded up to 2¹²⁸. */
    private static final float LARGEST = 0x1.ffdffep127f;

    private static final int MAX_SHIFT = 200;
    private static final int SMALLEST_NORMAL = 0x38800000;
    private static final int BIAS_DIFFERENCE = (127 - 15) << 23;
    private static final float SUBNORMAL_UNIT = 0x1p-24f;
    private static final float ROUND_TO_UNIT = 0.5f;

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      int max = Finite.maxMagnitude(values, from, from + length);
      if (Float.intBitsToFloat(max) > LARGEST) {
        throw new NonFiniteEntryException();
      }
      int shift = max == 0 ? 0 : TOP - Math.getExponent(Float.intBitsToFloat(max));
      out.putInt(shift);
      int at = out.skip(Math.multiplyExact(length, Short.BYTES));
      byte[] bytes = out.bytes();
      float first = Math.scalb(1f, shift / 2);
      float second = Math.scalb(1f, shift - shift / 2);
      for (int i = 0; i < length; i++) {
        short half = toHalf(values[from + i] * first * second);
        ByteSink.SHORT.set(bytes, at + Short.BYTES * i, half);
      }
    }

    /** Converts a magnitude below 2¹⁵, without branches. */
    private static short toHalf(float value) {
      int bits = Float.floatToRawIntBits(value);
      int magnitude = bits & Finite.MAGNITUDE;
      int normal = (magnitude - BIAS_DIFFERENCE + 0xFFF + (magnitude >>> 13 & 1)) >>> 13;
      // Adding ½ makes the adder round to multiples of 2⁻²⁴, which end up in the lowest bits.
      int subnormal =
          Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + ROUND_TO_UNIT)
              - Float.floatToRawIntBits(ROUND_TO_UNIT);
      int half = magnitude < SMALLEST_NORMAL ? subnormal : normal;
      return (short) (bits >>> 16 & 0x8000 | half);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      int shift = in.getInt();
      if (Math.abs((long) shift) > MAX_SHIFT) {
        throw new MalformedEncodingException(
            "expected a scale from 2^-%d to 2^%d, found 2^%d"
                .formatted(MAX_SHIFT, MAX_SHIFT, shift));
      }
      int at = in.skip(Math.multiplyExact(length, Short.BYTES));
      byte[] bytes = in.bytes();
      float first = Math.scalb(1f, -shift / 2);
      float second = Math.scalb(1f, -shift + shift / 2);
      for (int i = 0; i < length; i++) {
        short half = (short) ByteSink.SHORT.get(bytes, at + Short.BYTES * i);
        values[from + i] = toFloat(half) * first * second;
      }
      MalformedEncodingException.expectFinite(values, from, length);
    }

    /**
     * Converts to a float. Codes of infinity and NaN, which no encoder writes, become large
     * numbers.
     */
    private static float toFloat(short half) {
      int magnitude = half & 0x7FFF;
      float normal = Float.intBitsToFloat((magnitude << 13) + BIAS_DIFFERENCE);
      float value = magnitude < 0x400 ? magnitude * SUBNORMAL_UNIT : normal;
      return half < 0 ? -value : value;
    }
  }
}
