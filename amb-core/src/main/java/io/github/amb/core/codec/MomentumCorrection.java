package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;

/**
 * Momentum before sparsification: {@code u ← m u + x; v ← v + u}. The sent part of v is subtracted
 * from v, and u is set to zero where an entry was sent (momentum factor masking). So a codec that
 * sends all entries would leave no momentum. Of blocks that are not encoded, u is sent. The master
 * must not use momentum as well.
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

  /** Opens a trainable block that is not encoded: u is sent in 32 bits per entry. */
  public BlockCodec openPlain(int... shape) {
    return new Velocity(Plain.INSTANCE.open(shape), Shapes.length(shape), momentum);
  }

  @Override
  BlockCodec open(BlockCodec block, int length) {
    return new Corrected(block, length, momentum);
  }

  /** One block's velocity u, which is sent. */
  private static final class Velocity implements BlockCodec {
    private final BlockCodec plain;
    private final float momentum;
    private float[] velocity;
    private float[] last;

    Velocity(BlockCodec plain, int length, float momentum) {
      this.plain = plain;
      this.momentum = momentum;
      velocity = new float[length];
      last = new float[length];
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      float[] before = velocity;
      velocity = last;
      last = before;
      for (int i = 0; i < velocity.length; i++) {
        velocity[i] = momentum * before[i] + values[from + i];
      }
      plain.encode(velocity, 0, draws, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      plain.decode(in, draws, values, from);
    }

    @Override
    public void visit(StateVisitor state) {
      if (state.has("velocity")) { // Earlier versions sent what is not encoded without momentum.
        state.alternating("velocity", velocity);
      }
    }
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
