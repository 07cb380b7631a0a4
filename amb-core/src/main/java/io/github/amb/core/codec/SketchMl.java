package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.RiceIndices;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.random.CodecRandom;
import java.util.Arrays;

/**
 * Sends the quantile bin of every entry's magnitude, of 128 bins per sign, in {@link
 * MinMaxSketch}es: four sketches of 32 bins per sign. Zero entries are not sent. Collisions make
 * magnitudes smaller and never change a sign.
 *
 * <p>Jiang et al.: "SketchML: Accelerating Distributed Machine Learning with Data Sketches", SIGMOD
 * 2018. Here keys are Rice codes of their gaps, and tables are packed instead of Huffman-coded.
 */
final class SketchMl implements Codec {
  private static final int BINS = 128;
  private static final int GROUP_BITS = 5;

  @Override
  public double errorBound(int... shape) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Sketches(Shapes.length(shape));
  }

  /** One block's sketches. */
  private static final class Sketches implements BlockCodec {
    private final int length;
    private final Quantiles quantiles = new Quantiles(BINS);
    private final MinMaxSketch sketch = new MinMaxSketch(GROUP_BITS);
    private final float[] means = new float[BINS];
    private int[] ofSign = {};
    private int[] bins = {};
    private int[] ofGroup = {};

    Sketches(int length) {
      this.length = length;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      reserve();
      encodeSign(values, from, 1, out);
      encodeSign(values, from, -1, out);
    }

    private void reserve() {
      if (ofSign.length < length) {
        ofSign = new int[length];
        bins = new int[length];
        ofGroup = new int[length];
      }
    }

    private void encodeSign(float[] values, int from, int sign, ByteSink out) {
      int count = 0;
      for (int i = 0; i < length; i++) {
        if (values[from + i] * sign > 0) {
          ofSign[count++] = i;
        }
      }
      quantiles.fit(values, from, ofSign, count);
      for (int i = 0; i < count; i++) {
        bins[i] = quantiles.bin(Math.abs(values[from + ofSign[i]]));
      }
      out.putFloats(quantiles.means(), 0, BINS);
      for (int group = 0; group < BINS >> GROUP_BITS; group++) {
        encodeGroup(group, count, out);
      }
    }

    private void encodeGroup(int group, int countOfSign, ByteSink out) {
      int count = 0;
      for (int i = 0; i < countOfSign; i++) {
        if (bins[i] >> GROUP_BITS == group) {
          ofGroup[count++] = ofSign[i];
        }
      }
      sketch.clear(count);
      for (int i = 0; i < countOfSign; i++) {
        if (bins[i] >> GROUP_BITS == group) {
          sketch.insert(ofSign[i], bins[i] & (1 << GROUP_BITS) - 1);
        }
      }
      out.putCount(count);
      RiceIndices.encode(ofGroup, count, length, out);
      sketch.encode(out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      reserve();
      Arrays.fill(values, from, from + length, 0);
      for (int sign = 1; sign >= -1; sign -= 2) {
        in.getFloats(means, 0, BINS);
        for (int group = 0; group < BINS >> GROUP_BITS; group++) {
          int count = in.getCount(length);
          RiceIndices.decode(in, ofGroup, count, length);
          sketch.decode(in, count);
          for (int i = 0; i < count; i++) {
            int bin = (group << GROUP_BITS) + sketch.get(ofGroup[i]);
            values[from + ofGroup[i]] = sign * means[bin];
          }
        }
      }
    }
  }
}
