package io.github.amb.core.codec.memory;

import io.github.amb.core.codec.Codec;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;

/**
 * Momentum before sparsification: {@code u ← m u + x; v ← v + u}. The sent part of v is subtracted
 * from v, and u is set to zero where an entry was sent (momentum factor masking). The master must
 * not use momentum as well.
 *
 * <p>Lin et al.: "Deep Gradient Compression", ICLR 2018, §3.2 and §3.3.
 */
public final class MomentumCorrection extends RememberingCodec {
  private final float momentum;

  /**
   * @param codec encodes v
   * @param momentum m, from 0 to less than 1
   */
  public MomentumCorrection(Codec codec, double momentum) {
    super(codec);
    this.momentum = (float) momentum;
  }

  /** m, from 0 to less than 1. */
  public float momentum() {
    return momentum;
  }

  @Override
  BlockCodec open(BlockCodec block, int length) {
    return new Corrected(block, length, momentum);
  }

  /** One block with its velocity u; the residual is v, the unsent sum of velocities. */
  private static final class Corrected extends Remembering {
    private final float momentum;
    private float[] velocity;
    private float[] lastVelocity;

    Corrected(BlockCodec codec, int length, float momentum) {
      super(codec, length, "sum");
      this.momentum = momentum;
      velocity = new float[length];
      lastVelocity = new float[length];
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      float[] before = begin();
      float[] velocityBefore = velocity;
      velocity = lastVelocity;
      lastVelocity = velocityBefore;
      for (int i = 0; i < rest.length; i++) {
        velocity[i] = momentum * velocityBefore[i] + values[from + i];
        rest[i] = before[i] + velocity[i];
      }
      float[] sent = send(draws, out);
      for (int i = 0; i < sent.length; i++) {
        velocity[i] = sent[i] == 0 ? velocity[i] : 0;
      }
    }

    @Override
    public void visit(StateVisitor state) {
      super.visit(state);
      state.alternating("velocity", velocity);
    }
  }
}
