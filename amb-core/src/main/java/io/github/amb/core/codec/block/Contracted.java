package io.github.amb.core.codec.block;

import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;

/**
 * Turns an unbiased codec C with E‖C(x) − x‖² ≤ ω‖x‖² into a contraction by decoding C(x)/(1 + ω):
 * E‖C(x)/(1 + ω) − x‖² ≤ ω/(1 + ω) ‖x‖². Error feedback around C itself diverges if ω ≥ 1, as the
 * residual grows with every message.
 *
 * <p>Horváth, Richtárik: "A Better Alternative to Error Feedback for Communication-Efficient
 * Distributed Learning", ICLR 2021, Lemma 2.
 *
 * @param codec unbiased, with a finite bound of its error
 */
public record Contracted(Codec codec) implements Codec {
  /** ω/(1 + ω). */
  @Override
  public double errorBound(int... shape) {
    double omega = codec.errorBound(shape);
    return omega / (1 + omega);
  }

  @Override
  public boolean needsShape() {
    return codec.needsShape();
  }

  @Override
  public BlockPolicy policy() {
    return codec.policy();
  }

  @Override
  public BlockCodec open(int... shape) {
    float factor = (float) (1 / (1 + codec.errorBound(shape)));
    return new Scaled(codec.open(shape), Shapes.length(shape), factor);
  }

  /** One block, whose decoded entries are multiplied by {@code factor}. */
  private record Scaled(BlockCodec block, int length, float factor) implements BlockCodec {
    @Override
    public boolean rejectsNonFinite() {
      return block.rejectsNonFinite();
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      block.encode(values, from, draws, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      block.decode(in, draws, values, from);
      for (int i = from; i < from + length; i++) {
        values[i] *= factor;
      }
    }

    @Override
    public void visit(StateVisitor state) {
      block.visit(state);
    }
  }
}
