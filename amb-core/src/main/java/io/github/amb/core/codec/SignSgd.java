package io.github.amb.core.codec;

import io.github.amb.core.codec.bits.PackedLevels;
import io.github.amb.core.codec.bits.SignBits;
import io.github.amb.core.codec.block.AddableBlockCodec;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.update.master.UpdateHook;
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

  @Override
  public boolean isUnbiased() {
    return false;
  }

  /** True: votes are counted. */
  @Override
  public boolean isAddable() {
    return true;
  }

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

  /** One block's signs: the number of voters, then a sign or a number of votes per entry. */
  private static final class Votes implements AddableBlockCodec {
    private static final int MOST_VOTERS = 0xFFFF;

    private final int length;
    private float[] signs = {};
    private int[] votes = {};
    private int[] others = {};

    Votes(int length) {
      this.length = length;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      out.putCount(1);
      SignBits.encode(values, from, length, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      int voters = getVoters(in);
      if (voters == 1) {
        SignBits.decode(in, values, from, length, 1, -1);
        return;
      }
      reserve();
      getVotes(in, voters, votes);
      for (int i = 0; i < length; i++) {
        values[from + i] = 2 * votes[i] - voters;
      }
    }

    @Override
    public void add(ByteSource left, ByteSource right, ByteSink out) {
      reserve();
      int voters = getVoters(left);
      getVotes(left, voters, votes);
      int otherVoters = getVoters(right);
      getVotes(right, otherVoters, others);
      if (voters + otherVoters > MOST_VOTERS) {
        throw new MalformedEncodingException(
            "expected up to %d voters, found %d".formatted(MOST_VOTERS, voters + otherVoters));
      }
      for (int i = 0; i < length; i++) {
        votes[i] += others[i];
      }
      out.putCount(voters + otherVoters);
      levels(voters + otherVoters).encode(votes, length, out);
    }

    private void reserve() {
      if (votes.length < length) {
        signs = new float[length];
        votes = new int[length];
        others = new int[length];
      }
    }

    private static int getVoters(ByteSource in) {
      int voters = in.getCount(MOST_VOTERS);
      if (voters == 0) {
        throw new MalformedEncodingException("expected a voter, found none");
      }
      return voters;
    }

    /** Packs as many bits per entry as {@code voters} has. */
    private static PackedLevels levels(int voters) {
      return new PackedLevels(Integer.SIZE - Integer.numberOfLeadingZeros(voters));
    }

    /** Reads the number of voters for +1, entry by entry. */
    private void getVotes(ByteSource in, int voters, int[] into) {
      if (voters == 1) {
        SignBits.decode(in, signs, 0, length, 1, 0);
        for (int i = 0; i < length; i++) {
          into[i] = (int) signs[i];
        }
        return;
      }
      levels(voters).decode(in, into, length);
      for (int i = 0; i < length; i++) {
        if (into[i] > voters) {
          throw new MalformedEncodingException(
              "expected up to %d votes, found %d".formatted(voters, into[i]));
        }
      }
    }
  }
}
