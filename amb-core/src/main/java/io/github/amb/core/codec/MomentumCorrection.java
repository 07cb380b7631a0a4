package io.github.amb.core.codec;

import io.github.amb.core.state.StateVisitor;

/**
 * Momentum before sparse sending: {@code u ← m u + x; v ← v + u}; what is sent of v is taken out of
 * v, and out of u where anything was sent (momentum factor masking). For a master without momentum
 * of its own.
 *
 * <p>Lin et al.: "Deep Gradient Compression", ICLR 2018, §3.2 and §3.3.
 */
final class MomentumCorrection implements Codec {
  private final Codec codec;
  private final float momentum;

  /**
   * @param momentum m, 0 up to less than 1
   */
  MomentumCorrection(Codec codec, double momentum) {
    this.codec = codec.contraction();
    this.momentum = (float) momentum;
  }

  @Override
  public boolean isUnbiased() {
    return false;
  }

  @Override
  public boolean isAddable() {
    return codec.isAddable();
  }

  /** Of what is sent, the sum of velocities. */
  @Override
  public double errorBound(int... shape) {
    return codec.errorBound(shape);
  }

  @Override
  public Codec receiver() {
    return codec.receiver();
  }

  @Override
  public BlockPolicy policy() {
    return codec.policy();
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Corrected(codec.open(shape), Shapes.length(shape), momentum);
  }

  /** One block with its velocity and their sum. */
  private static final class Corrected extends Remembering {
    private final float momentum;
    private final float[] velocity;
    private final float[] sum;
    private final float[] sent;

    Corrected(BlockCodec codec, int length, float momentum) {
      super(codec);
      this.momentum = momentum;
      velocity = new float[length];
      sum = new float[length];
      sent = new float[length];
    }

    @Override
    public void encode(float[] values, int from, Draws draws, ByteSink out) {
      for (int i = 0; i < sum.length; i++) {
        velocity[i] = momentum * velocity[i] + values[from + i];
        sum[i] += velocity[i];
      }
      send(sum, draws, out, sent);
      for (int i = 0; i < sum.length; i++) {
        sum[i] -= sent[i];
        velocity[i] = sent[i] == 0 ? velocity[i] : 0;
      }
    }

    @Override
    public void visit(StateVisitor state) {
      super.visit(state);
      state.floats("velocity", velocity);
      state.floats("sum", sum);
    }
  }
}
