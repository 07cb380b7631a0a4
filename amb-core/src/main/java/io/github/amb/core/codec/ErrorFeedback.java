package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.random.CodecRandom;

/**
 * Error feedback: the residual e of a message is added to the next one, {@code m = C(x + e); e ← x
 * + e − m}. The sum of all messages is the sum of all gradients minus the last e.
 *
 * <p>Seide et al.: "1-Bit Stochastic Gradient Descent and its Application to Data-Parallel
 * Distributed Training of Speech DNNs", Interspeech 2014; Karimireddy et al.: "Error Feedback Fixes
 * SignSGD and other Gradient Compression Schemes", ICML 2019.
 */
public final class ErrorFeedback extends RememberingCodec {
  public ErrorFeedback(Codec codec) {
    super(codec);
  }

  @Override
  BlockCodec open(BlockCodec block, int length) {
    return new WithResidual(block, length);
  }

  /** One block and its residual. */
  private static final class WithResidual extends Remembering {
    WithResidual(BlockCodec codec, int length) {
      super(codec, length, "residual");
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      float[] before = begin();
      for (int i = 0; i < rest.length; i++) {
        rest[i] = before[i] + values[from + i];
      }
      send(draws, out);
    }
  }
}
