package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.codec.block.PackedLevels;
import io.github.amb.core.codec.block.Reinterpretation;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.numeric.Norms;
import io.github.amb.core.codec.numeric.StochasticRounding;
import io.github.amb.core.random.CodecRandom;

/**
 * Sends a sign and a level l from 0 to s = 2^(bits−1) − 1 for every entry x of a bucket with norm
 * ‖v‖, decoded as ±‖v‖ l/s. |x|s/‖v‖ is rounded to l at random, up or down, so that the result is
 * unbiased.
 *
 * <p>Alistarh et al.: "QSGD: Communication-Efficient SGD via Gradient Quantization and Encoding",
 * NIPS 2017.
 *
 * @param bits bits per entry, sign included, 2 to 16
 * @param bucket number of entries that share a norm
 */
record Qsgd(int bits, int bucket) implements Codec {
  @Override
  public boolean isUnbiased() {
    return true;
  }

  /** min(n/s², √n/s) for a bucket of n entries: Lemma 3.1 of the paper. */
  @Override
  public double errorBound(int... shape) {
    double n = Math.min(bucket, Shapes.length(shape));
    double s = levels();
    return Math.min(n / (s * s), Math.sqrt(n) / s);
  }

  private int levels() {
    return (1 << (bits - 1)) - 1;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Levels(Shapes.length(shape));
  }

  /** One block's levels. */
  private final class Levels implements BlockCodec {
    private static final int GROUP = Reinterpretation.MAX;

    private final int length;
    private final int most = levels();
    private final float[] scales;
    private final StochasticRounding rounding = new StochasticRounding();
    private final PackedLevels packed = new PackedLevels(bits);
    private final int[] codes = new int[GROUP];

    Levels(int length) {
      this.length = length;
      scales = new float[(int) (((long) length + bucket - 1) / bucket)];
    }

    /** True: the norms of such blocks are not finite. */
    @Override
    public boolean rejectsNonFinite() {
      return true;
    }

    /**
     * Appends all norms, then all levels. A norm is computed just before its levels, while the
     * bucket is in the cache.
     */
    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      rounding.draws(draws.own());
      int norms = out.skip(scales.length * Float.BYTES);
      int scaled = 0;
      for (int start = 0; start < length; start += GROUP) {
        int count = Math.min(GROUP, length - start);
        for (; (long) scaled * bucket < start + count; scaled++) {
          float norm = norm(values, from, scaled * bucket);
          scales[scaled] = StochasticRounding.scale(most, norm);
          out.setInt(norms + scaled * Float.BYTES, Float.floatToRawIntBits(norm));
        }
        rounding.round(values, from, start, count, scales, bucket, most, codes);
        packed.encode(codes, count, out);
      }
    }

    private float norm(float[] values, int from, int start) {
      int count = Math.min(bucket, length - start);
      float norm = (float) Math.sqrt(Norms.squared(values, from + start, count));
      if (!Float.isFinite(norm / most * most)) { // the largest number that is decoded
        throw new NonFiniteEntryException();
      }
      return norm;
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      for (int i = 0; i < scales.length; i++) {
        scales[i] = in.getMagnitude() / most;
      }
      for (int start = 0; start < length; start += GROUP) {
        int count = Math.min(GROUP, length - start);
        packed.decode(in, codes, count);
        rounding.restore(codes, count, most, scales, bucket, values, from, start);
      }
    }
  }
}
