package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SignBits;
import io.github.amb.core.codec.numeric.Norms;
import io.github.amb.core.random.CodecRandom;

/**
 * Sends the sign of every entry, decoded as ±‖x‖₁/n. Intended for use with error feedback.
 *
 * <p>Karimireddy et al.: "Error Feedback Fixes SignSGD and other Gradient Compression Schemes",
 * ICML 2019.
 */
final class ScaledSign implements Codec {
  /** 1 − ‖x‖₁²/(n‖x‖²), at most 1 − 1/n: the worst case is one entry among zeros. */
  @Override
  public double errorBound(int... shape) {
    int length = Shapes.length(shape);
    return length == 0 ? 0 : 1 - 1.0 / length;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Signs(Shapes.length(shape));
  }

  /** One block's signs. */
  private record Signs(int length) implements BlockCodec {
    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      double mean = length == 0 ? 0 : Norms.absolute(values, from, length) / length;
      out.putFloat((float) mean);
      SignBits.encode(values, from, length, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      float mean = in.getMagnitude();
      SignBits.decode(in, values, from, length, mean, -mean);
    }
  }
}
