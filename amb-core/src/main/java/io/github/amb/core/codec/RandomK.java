package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.random.CodecRandom;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Sends k = max(1, ⌊ratio · n⌋) random entries of n. All messages of a step have the same entries,
 * those of all workers and several of one, so indices are not sent. Entries are multiplied by n/k,
 * which makes the codec unbiased, except under error feedback and for parameters.
 *
 * <p>Stich, Cordonnier, Jaggi: "Sparsified SGD with Memory", NeurIPS 2018.
 *
 * @param ratio share of entries to send, above 0, up to 1
 * @param scaled whether they are multiplied by n/k
 */
record RandomK(double ratio, boolean scaled) implements Codec {
  @Override
  public Codec contraction() {
    return new RandomK(ratio, false);
  }

  @Override
  public boolean isUnbiased() {
    return scaled;
  }

  /** n/k − 1 with the factor n/k, 1 − k/n without it. */
  @Override
  public double errorBound(int... shape) {
    int length = Shapes.length(shape);
    double share = length == 0 ? 1 : (double) entries(length) / length;
    return scaled ? 1 / share - 1 : 1 - share;
  }

  private int entries(int length) {
    return Math.min(length, Math.max(1, (int) (ratio * length)));
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Chosen(Shapes.length(shape));
  }

  /** One block's choice. */
  private final class Chosen implements SparseBlockCodec {
    private final int length;
    private final int[] order;
    private final int[] swaps;
    private final int[] chosen;
    private final float[] entries;

    Chosen(int length) {
      this.length = length;
      order = new int[length];
      Arrays.setAll(order, i -> i);
      swaps = new int[entries(length)];
      chosen = new int[swaps.length];
      entries = new float[swaps.length];
    }

    /**
     * Performs the first steps of a shuffle, then undoes them, so that the next one starts from the
     * same order.
     */
    private void choose(UniformRandomProvider random) {
      for (int i = 0; i < swaps.length; i++) {
        swaps[i] = i + random.nextInt(length - i);
        swap(i, swaps[i]);
      }
      System.arraycopy(order, 0, chosen, 0, chosen.length);
      for (int i = swaps.length - 1; i >= 0; i--) {
        swap(i, swaps[i]);
      }
    }

    private void swap(int i, int j) {
      int held = order[i];
      order[i] = order[j];
      order[j] = held;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      choose(draws.shared());
      float scale = scaled ? (float) length / chosen.length : 1;
      for (int i = 0; i < chosen.length; i++) {
        entries[i] = scale * values[from + chosen[i]];
      }
      out.putFloats(entries, 0, entries.length);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      in.getFloats(entries, 0, entries.length);
      choose(draws.shared());
      Arrays.fill(values, from, from + length, 0);
      for (int i = 0; i < chosen.length; i++) {
        values[from + chosen[i]] = entries[i];
      }
    }

    @Override
    public int[] indices() {
      return chosen;
    }

    @Override
    public int count() {
      return chosen.length;
    }
  }
}
