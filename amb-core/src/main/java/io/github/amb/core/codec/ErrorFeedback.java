package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.random.CodecRandom;

/**
 * Error feedback: the residual e of a message is added to the next one, {@code m = C(x + β e); e ←
 * x + β e − m}. With β = 1 the sum of all messages is the sum of all gradients minus the last e.
 * With less, what waits long is forgotten: SparseLoCo's and DeMo's decayed residual.
 *
 * <p>Seide et al.: "1-Bit Stochastic Gradient Descent and its Application to Data-Parallel
 * Distributed Training of Speech DNNs", Interspeech 2014; Karimireddy et al.: "Error Feedback Fixes
 * SignSGD and other Gradient Compression Schemes", ICML 2019.
 */
public final class ErrorFeedback extends RememberingCodec {
  private final float decay;

  public ErrorFeedback(Codec codec) {
    this(codec, 1);
  }

  /**
   * @param decay β, the share of a residual that the next message has, above 0, up to 1
   */
  public ErrorFeedback(Codec codec, double decay) {
    super(codec);
    this.decay = (float) decay;
  }

  @Override
  BlockCodec open(BlockCodec block, int length) {
    return new WithResidual(block, length, decay);
  }

  /** One block and its residual. */
  private static final class WithResidual extends Remembering {
    private final float decay;

    WithResidual(BlockCodec codec, int length, float decay) {
      super(codec, length, "residual");
      this.decay = decay;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      float[] before = begin();
      for (int i = 0; i < rest.length; i++) {
        rest[i] = decay * before[i] + values[from + i];
      }
      send(draws, out);
    }
  }
}
