package io.github.amb.core.codec;

/**
 * A sign and a level l of s = 2^(bits−1) − 1 for every entry x of a bucket with norm ‖v‖, decoded
 * as ±‖v‖ l/s; l is |x|s/‖v‖ rounded up or down at random so that its expectation is right.
 *
 * <p>Alistarh et al.: "QSGD: Communication-Efficient SGD via Gradient Quantization and Encoding",
 * NIPS 2017.
 */
final class Qsgd implements Codec {
  private final int bits;
  private final int bucket;

  /**
   * @param bits per entry, the sign among them, 2 to 16
   * @param bucket entries that share a norm
   */
  Qsgd(int bits, int bucket) {
    this.bits = bits;
    this.bucket = bucket;
  }

  @Override
  public boolean isUnbiased() {
    return true;
  }

  /** min(n/s², √n/s) of a bucket of n: Lemma 3.1. */
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
    private static final int GROUP = Reinterpretation.MOST;

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

    /** The norms tell. */
    @Override
    public boolean refusesNonFinite() {
      return true;
    }

    /** All norms, then all levels; a norm is taken just before its levels, while both are near. */
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
      double norm = Norms.euclidean(values, from + start, Math.min(bucket, length - start));
      if (!Double.isFinite(norm)) {
        throw new NonFiniteEntryException();
      }
      return (float) norm;
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
