package io.github.amb.core.codec;

import io.github.amb.core.state.StateVisitor;

/**
 * Error feedback: what a message did not carry is added to the next one, {@code m = C(x + e); e ← x
 * + e − m}, so that all messages add up to all gradients less the last e.
 *
 * <p>Seide et al., Interspeech 2014; Karimireddy et al., ICML 2019.
 */
final class ErrorFeedback implements Codec {
  private final Codec codec;

  ErrorFeedback(Codec codec) {
    this.codec = codec.contraction();
  }

  @Override
  public boolean isUnbiased() {
    return false;
  }

  @Override
  public boolean isAddable() {
    return codec.isAddable();
  }

  /** Of what is sent, gradient and error together. */
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
    return new WithResidual(codec.open(shape), Shapes.length(shape));
  }

  /** One block and its residual. */
  private static final class WithResidual extends Remembering {
    private final float[] residual;
    private final float[] sent;

    WithResidual(BlockCodec codec, int length) {
      super(codec);
      residual = new float[length];
      sent = new float[length];
    }

    @Override
    public void encode(float[] values, int from, Draws draws, ByteSink out) {
      for (int i = 0; i < residual.length; i++) {
        residual[i] += values[from + i];
      }
      send(residual, draws, out, sent);
      for (int i = 0; i < residual.length; i++) {
        residual[i] -= sent[i];
      }
    }

    @Override
    public void visit(StateVisitor state) {
      super.visit(state);
      state.floats("residual", residual);
    }
  }
}
