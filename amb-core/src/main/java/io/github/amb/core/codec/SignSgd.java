package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SignBits;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.update.UpdateHook;
import java.util.Optional;

/**
 * The sign of every entry, and a majority vote at the master: the update rule gets the sign of the
 * sum of the workers' signs, 0 if they are tied.
 *
 * <p>Bernstein et al.: "signSGD", ICML 2018 (arXiv:1802.04434).
 */
final class SignSgd implements Codec {
  private static final UpdateHook VOTE =
      new UpdateHook() {
        @Override
        public void change(float[] mean, int length) {
          for (int i = 0; i < length; i++) {
            mean[i] = Math.signum(mean[i]);
          }
        }
      };

  /** Infinite: a sign has no information about the magnitude. */
  @Override
  public double errorBound(int... shape) {
    return Double.POSITIVE_INFINITY;
  }

  /** False for changes of parameters: a vote has no magnitude, which they need. */
  @Override
  public boolean carries(Uplink uplink) {
    return uplink == Uplink.GRADIENTS;
  }

  @Override
  public BlockPolicy policy() {
    return BlockPolicy.ALL;
  }

  @Override
  public Optional<UpdateHook> hook() {
    return Optional.of(VOTE);
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Votes(Shapes.length(shape));
  }

  /** One block's signs, after the number of voters, which is 1. */
  private record Votes(int length) implements BlockCodec {
    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      out.putCount(1);
      SignBits.encode(values, from, length, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      if (in.getCount(1) == 0) {
        throw new MalformedEncodingException("expected a voter, found none");
      }
      SignBits.decode(in, values, from, length, 1, -1);
    }
  }
}
