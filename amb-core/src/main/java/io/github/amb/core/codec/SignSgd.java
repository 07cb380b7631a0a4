package io.github.amb.core.codec;

import io.github.amb.core.update.UpdateHook;
import java.util.Optional;

/**
 * The sign of every entry, and a majority vote at the master: the update rule gets the sign of the
 * sum of the workers' signs, 0 if they are tied.
 *
 * <p>Bernstein et al.: "signSGD: Compressed Optimisation for Non-Convex Problems", ICML 2018.
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

  @Override
  public boolean isUnbiased() {
    return false;
  }

  /** Votes are counted. */
  @Override
  public boolean isAddable() {
    return true;
  }

  /** A sign says nothing of the magnitude. */
  @Override
  public double errorBound(int... shape) {
    return Double.POSITIVE_INFINITY;
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

  /** One block's signs. */
  private record Votes(int length) implements BlockCodec {
    @Override
    public void encode(float[] values, int from, Draws draws, ByteSink out) {
      SignBits.encode(values, from, length, out);
    }

    @Override
    public void decode(ByteSource in, Draws draws, float[] values, int from) {
      SignBits.decode(in, values, from, length, 1, -1);
    }
  }
}
