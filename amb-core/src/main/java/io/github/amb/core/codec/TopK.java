package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.codec.block.SparseEntries;
import io.github.amb.core.codec.numeric.TopSelection;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;
import java.util.function.LongToDoubleFunction;

/**
 * Sends the k = max(1, ⌊ratio · n⌋) entries of largest magnitude of a block of n entries, in 32
 * bits each or fewer. With sampling, the number is approximate and the selection faster.
 *
 * <p>Aji and Heafield: "Sparse Communication for Distributed Gradient Descent", EMNLP 2017.
 */
final class TopK implements Codec {
  private static final double FIRST = 0.25;

  private final double ratio;
  private final boolean sampled;
  private final int bits;
  private final LongToDoubleFunction ratios;

  /**
   * @param ratio share of entries to send, above 0, up to 1
   * @param sampled whether the threshold is estimated from a sample
   * @param bits per entry, as {@link SparseEntries} rounds them; 0 for floats
   */
  TopK(double ratio, boolean sampled, int bits) {
    this(ratio, sampled, bits, message -> ratio);
  }

  private TopK(double ratio, boolean sampled, int bits, LongToDoubleFunction ratios) {
    this.ratio = ratio;
    this.sampled = sampled;
    this.bits = bits;
    this.ratios = ratios;
  }

  /**
   * Returns this codec with a larger ratio at first: it falls exponentially from ¼ to the ratio
   * over {@code messages} messages.
   *
   * <p>Lin et al.: "Deep Gradient Compression", ICLR 2018, §3.3.
   */
  TopK warmingUp(int messages) {
    if (FIRST <= ratio) {
      return this;
    }
    return new TopK(
        ratio,
        sampled,
        bits,
        message ->
            message >= messages
                ? ratio
                : FIRST * Math.pow(ratio / FIRST, (double) message / messages));
  }

  /**
   * 1 − k/n; with sampling, up to a fifth fewer entries are assumed. Means of magnitudes keep at
   * least 1/k of the sum of their squares.
   */
  @Override
  public double errorBound(int... shape) {
    int length = Shapes.length(shape);
    int sent = bits == 0 ? entries(ratio, length) : 1;
    return length == 0 ? 0 : 1 - (sampled ? 0.8 : 1.0) * sent / length;
  }

  private static int entries(double ratio, int length) {
    return Math.min(length, Math.max(1, (int) (ratio * length)));
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Selected(Shapes.length(shape));
  }

  /** One block's largest entries. */
  private final class Selected implements SparseBlockCodec {
    private final int length;
    private final SparseEntries entries;
    private TopSelection selection;
    private long messages;

    Selected(int length) {
      this.length = length;
      entries = new SparseEntries(length, bits);
    }

    /** True: entries that are not finite are among the largest. */
    @Override
    public boolean rejectsNonFinite() {
      return true;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      if (selection == null) {
        selection = new TopSelection(length);
      }
      int k = entries(ratios.applyAsDouble(messages), length);
      if (sampled) {
        selection.sampled(values, from, k);
      } else {
        selection.exact(values, from, k);
      }
      entries.encode(values, from, selection.indices(), selection.count(), out);
      messages++;
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      entries.decode(in, values, from);
    }

    @Override
    public void visit(StateVisitor state) {
      messages = state.integer("messages", messages);
    }

    @Override
    public int[] indices() {
      return entries.indices();
    }

    @Override
    public int count() {
      return entries.count();
    }
  }
}
