package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SignedIndices;
import io.github.amb.core.codec.block.SparseEntries;
import io.github.amb.core.codec.numeric.WaterFilling;
import io.github.amb.core.random.CodecRandom;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * ATOMO's entry-wise decomposition: keeps entry i of n with probability pᵢ and divides it by pᵢ.
 * The probabilities minimize the variance for s = max(1, ratio · n) kept entries in expectation
 * ({@link WaterFilling}). An entry with pᵢ &lt; 1 is decoded as ±τ, so only its sign is sent.
 *
 * <p>Wang et al.: "ATOMO: Communication-efficient Learning via Atomic Sparsification", NeurIPS
 * 2018.
 *
 * @param ratio the budget as a share of entries, above 0, up to 1
 */
record AtomoEntry(double ratio) implements Codec {
  @Override
  public boolean isUnbiased() {
    return true;
  }

  /** At most ‖x‖₁²/(s‖x‖²) − 1, which is n/s − 1 if all entries have the same magnitude. */
  @Override
  public double errorBound(int... shape) {
    int length = Shapes.length(shape);
    return length == 0 ? 0 : Math.max(0, length / budget(length) - 1);
  }

  private double budget(int length) {
    return Math.max(1, ratio * length);
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Kept(Shapes.length(shape));
  }

  /** One block's entries. */
  private final class Kept implements BlockCodec {
    private static final double UNIT = 0x1p-53;

    private final int length;
    private final SparseEntries certain;
    private final SignedIndices likely;
    private double[] magnitudes = {};
    private int[] indices = {};
    private int[] certainIndices = {};

    Kept(int length) {
      this.length = length;
      certain = new SparseEntries(length);
      likely = new SignedIndices(length);
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      reserve();
      for (int i = 0; i < length; i++) {
        magnitudes[i] = Math.abs(values[from + i]);
      }
      float level = (float) WaterFilling.level(magnitudes, length, budget(length));
      UniformRandomProvider random = draws.own();
      int likelyCount = 0;
      int certainCount = 0;
      for (int i = 0; i < length; i++) {
        float magnitude = Math.abs(values[from + i]);
        if (magnitude == 0) {
          continue;
        }
        if (magnitude >= level) {
          certainIndices[certainCount++] = i;
        } else if ((random.nextLong() >>> 11) * UNIT * level < magnitude) {
          indices[likelyCount++] = i;
        }
      }
      certain.encode(values, from, certainIndices, certainCount, out);
      out.putFloat(level);
      likely.encode(values, from, indices, likelyCount, out);
    }

    private void reserve() {
      if (magnitudes.length < length) {
        magnitudes = new double[length];
        indices = new int[length];
        certainIndices = new int[length];
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      certain.decode(in, values, from);
      float level = in.getMagnitude();
      likely.decode(in, values, from, level);
    }
  }
}
