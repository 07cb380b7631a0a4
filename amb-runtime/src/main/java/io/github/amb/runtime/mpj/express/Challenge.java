package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * The bytes that an accepting rank and its peer exchange: magic number, rank and nonce of the peer;
 * nonce and proof of the accepting rank; proof of the peer; one byte of acceptance. Nothing else is
 * answered or trusted.
 */
final class Challenge {
  /** First bytes of a peer. */
  static final int MAGIC = 0x414d4202;

  /** Last byte, from the accepting rank. */
  static final byte TAKEN = 1;

  /** Bytes of the peer's first message. */
  static final int HELLO = 2 * Integer.BYTES + ConnectionSide.BYTES;

  /** Bytes of the answer. */
  static final int ANSWER = 2 * ConnectionSide.BYTES;

  /** Progress of the exchange. */
  enum State {
    GREETED,
    ANSWERED,
    PROVEN,
    REJECTED
  }

  private final Rank own;
  private final InetSocketAddress place;
  private State state = State.GREETED;
  private ByteBuffer in = ByteBuffer.allocate(HELLO);
  private byte[] expected;

  /**
   * @param own the accepting rank
   * @param place address on which it has accepted the connection
   */
  Challenge(Rank own, InetSocketAddress place) {
    this.own = own;
    this.place = place;
  }

  State state() {
    return state;
  }

  /** The buffer for the next bytes; no more of them are to be read. */
  ByteBuffer in() {
    return in;
  }

  /**
   * Handles the bytes that fill {@link #in}.
   *
   * @return the answer, possibly empty
   */
  ByteBuffer heard() {
    in.flip();
    return state == State.GREETED ? answer() : decide();
  }

  private ByteBuffer answer() {
    int magic = in.getInt();
    int from = in.getInt();
    if (magic != MAGIC || from <= own.rank() || from >= own.ranks()) {
      state = State.REJECTED;
      return ByteBuffer.allocate(0);
    }
    byte[] asked = new byte[ConnectionSide.BYTES];
    in.get(asked);
    ConnectionSide.Nonces nonces = new ConnectionSide.Nonces(asked, RunSecret.nonce());
    ConnectionSide link = new ConnectionSide(own.generation(), from, own.rank(), place);
    expected = link.proofOfConnecting(own.secret(), nonces);
    state = State.ANSWERED;
    in = ByteBuffer.allocate(ConnectionSide.BYTES);
    return ByteBuffer.allocate(ANSWER)
        .put(nonces.accepting())
        .put(link.proofOfAccepting(own.secret(), nonces))
        .flip();
  }

  private ByteBuffer decide() {
    boolean proven = MessageDigest.isEqual(expected, in.array());
    state = proven ? State.PROVEN : State.REJECTED;
    return proven ? ByteBuffer.wrap(new byte[] {TAKEN}) : ByteBuffer.allocate(0);
  }

  /**
   * The accepting rank.
   *
   * @param secret the run's secret
   * @param generation number of the generation that is being formed
   * @param rank its rank in it; higher ranks connect to it
   * @param ranks number of ranks
   */
  record Rank(RunSecret secret, int generation, int rank, int ranks) {}
}
