package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SignedIndices;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.codec.numeric.TopSelection;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * Sends the sign of every entry whose magnitude is at least τ, decoded as ±τ. Other entries are not
 * sent. The first block with entries other than 0 sets τ so that the requested share of its entries
 * is sent, or all but zeros if those are fewer. From then on, τ is multiplied by 1/0.966 after a
 * block with more entries and by 0.966 after one with fewer. Intended for use with error feedback.
 *
 * <p>Strom: "Scalable Distributed DNN Training Using Commodity GPU Cloud Computing", Interspeech
 * 2015; adaptive as in Deeplearning4j's gradient sharing.
 *
 * @param density requested share of entries to send, above 0, up to 1
 */
record Threshold(double density) implements Codec {
  private static final float DECAY = 0.966f;

  /**
   * 1: sending ±τ for a magnitude of at least τ never increases the error, and may not reduce it.
   */
  @Override
  public double errorBound(int... shape) {
    return 1;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Signs(Shapes.length(shape));
  }

  /** One block's signs. */
  private final class Signs implements SparseBlockCodec {
    private final int length;

    private float threshold; // τ; 0 before the first message

    private TopSelection selection;
    private final SignedIndices signs;

    Signs(int length) {
      this.length = length;
      signs = new SignedIndices(length);
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      if (selection == null) {
        selection = new TopSelection(length);
      }
      if (threshold == 0) {
        threshold = first(values, from);
      }
      float tau = threshold;
      selection.above(values, from, Float.floatToRawIntBits(tau) - 1);
      int size = tau == 0 ? 0 : selection.count();
      out.putFloat(tau);
      signs.encode(values, from, selection.indices(), size, out);
      threshold = size > density * length ? Math.min(tau / DECAY, Float.MAX_VALUE) : tau * DECAY;
    }

    /** The magnitude that the requested share of entries reaches, of those that are not 0. */
    private float first(float[] values, int from) {
      int wanted = Math.min(length, Math.max(1, (int) (density * length)));
      selection.exact(values, from, wanted);
      float smallest = Float.POSITIVE_INFINITY;
      for (int i = 0; i < selection.count(); i++) {
        float magnitude = Math.abs(values[from + selection.indices()[i]]);
        smallest = magnitude > 0 ? Math.min(smallest, magnitude) : smallest;
      }
      return smallest < Float.POSITIVE_INFINITY ? smallest : 0;
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      float tau = in.getMagnitude();
      Arrays.fill(values, from, from + length, 0);
      signs.decode(in, values, from, tau);
    }

    @Override
    public void visit(StateVisitor state) {
      threshold = (float) state.real("threshold", threshold);
    }

    @Override
    public int[] indices() {
      return signs.indices();
    }

    @Override
    public int count() {
      return signs.count();
    }
  }
}
