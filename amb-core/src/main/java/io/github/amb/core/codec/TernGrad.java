package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Reinterpretation;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.numeric.Norms;
import io.github.amb.core.codec.numeric.StochasticRounding;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;

/**
 * Sends −a, 0 or a for every entry x of a bucket, where a = max |x| and a's probability is |x|/a. A
 * byte holds five entries.
 *
 * <p>Wen et al.: "TernGrad: Ternary Gradients to Reduce Communication in Distributed Deep
 * Learning", NIPS 2017. The paper's gradient clipping is off by default, as it is biased.
 *
 * @param bucket number of entries that share a scale
 * @param clip entries are clipped to this many times the block's root mean square; infinity for no
 *     clipping
 */
record TernGrad(int bucket, double clip) implements Codec {
  private static final int PER_BYTE = 5;
  private static final int LARGEST_BYTE = 242;

  @Override
  public boolean isUnbiased() {
    return Double.isInfinite(clip);
  }

  /** ‖x‖∞‖x‖₁/‖x‖² − 1, at most (√n − 1)/2 for a bucket of n entries. */
  @Override
  public double errorBound(int... shape) {
    double n = Math.min(bucket, Shapes.length(shape));
    return isUnbiased() ? Math.max(0, (Math.sqrt(n) - 1) / 2) : Double.POSITIVE_INFINITY;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Trits(Shapes.length(shape));
  }

  /** One block's signs and zeros. */
  private final class Trits implements BlockCodec {
    private static final int GROUP = Reinterpretation.MAX / PER_BYTE * PER_BYTE;
    private static final byte[] DIGITS = digits();

    private final int length;
    private final float[] scales;
    private final StochasticRounding rounding = new StochasticRounding();
    private final int[] trits = new int[GROUP];

    Trits(int length) {
      this.length = length;
      scales = new float[(int) (((long) length + bucket - 1) / bucket)];
    }

    private static byte[] digits() {
      byte[] digits = new byte[(LARGEST_BYTE + 1) * PER_BYTE];
      for (int value = 0; value <= LARGEST_BYTE; value++) {
        int rest = value;
        for (int digit = 0; digit < PER_BYTE; digit++, rest /= 3) {
          digits[value * PER_BYTE + digit] = (byte) (rest % 3);
        }
      }
      return digits;
    }

    /** Appends all scales, then all signs and zeros. */
    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      rounding.draws(draws.own());
      putScales(values, from, out);
      for (int start = 0; start < length; start += GROUP) {
        int count = Math.min(GROUP, length - start);
        rounding.round(values, from, start, count, scales, bucket, 1, trits);
        pack(count, out);
      }
    }

    private void putScales(float[] values, int from, ByteSink out) {
      float limit = limit(values, from);
      for (int i = 0; i < scales.length; i++) {
        int first = from + i * bucket;
        int max = Finite.maxMagnitude(values, first, first + Math.min(bucket, length - i * bucket));
        float scale = Math.min(limit, Float.intBitsToFloat(max));
        out.putFloat(scale);
        scales[i] = StochasticRounding.scale(1, scale);
      }
    }

    private float limit(float[] values, int from) {
      if (isUnbiased()) {
        return Float.MAX_VALUE;
      }
      return (float) (clip * Math.sqrt(Norms.squared(values, from, length) / length));
    }

    private void pack(int count, ByteSink out) {
      int at = out.skip((count + PER_BYTE - 1) / PER_BYTE);
      byte[] bytes = out.bytes();
      for (int i = 0; i < count; i += PER_BYTE) {
        int packed = 0;
        for (int j = Math.min(i + PER_BYTE, count) - 1; j >= i; j--) {
          packed = 3 * packed + trits[j];
        }
        bytes[at++] = (byte) packed;
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      for (int i = 0; i < scales.length; i++) {
        scales[i] = in.getMagnitude();
      }
      for (int start = 0; start < length; start += GROUP) {
        int count = Math.min(GROUP, length - start);
        unpack(in, count);
        rounding.restore(trits, count, 1, scales, bucket, values, from, start);
      }
    }

    private void unpack(ByteSource in, int count) {
      int at = in.skip((count + PER_BYTE - 1) / PER_BYTE);
      byte[] bytes = in.bytes();
      for (int i = 0; i < count; i += PER_BYTE) {
        int packed = bytes[at++] & 0xFF;
        if (packed > LARGEST_BYTE) {
          throw new MalformedEncodingException("expected five digits of base 3, found " + packed);
        }
        for (int j = i; j < Math.min(i + PER_BYTE, count); j++) {
          trits[j] = DIGITS[packed * PER_BYTE + j - i];
        }
      }
    }
  }
}
