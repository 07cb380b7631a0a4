package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * What an accepting rank and whoever connects say to each other, as bytes alone: a magic number,
 * the rank and nonce of the one; nonce and proof of the other; the proof of the one; a byte when it
 * is taken. Nothing else is answered, and nothing believed.
 */
final class Challenge {
  /** First of all that is said. */
  static final int MAGIC = 0x414d4202;

  /** Said last, by the rank that accepts. */
  static final byte TAKEN = 1;

  /** Bytes of what the connecting rank says first. */
  static final int HELLO = 2 * Integer.BYTES + ConnectionSide.BYTES;

  /** Bytes of the answer. */
  static final int ANSWER = 2 * ConnectionSide.BYTES;

  /** How far it has come. */
  enum State {
    GREETED,
    ANSWERED,
    PROVEN,
    REFUSED
  }

  private final Rank own;
  private final InetSocketAddress place;
  private State state = State.GREETED;
  private ByteBuffer in = ByteBuffer.allocate(HELLO);
  private byte[] expected;

  /**
   * @param place where this rank has accepted the connection
   */
  Challenge(Rank own, InetSocketAddress place) {
    this.own = own;
    this.place = place;
  }

  State state() {
    return state;
  }

  /** Where to put what comes next; no more of it is to be read. */
  ByteBuffer in() {
    return in;
  }

  /**
   * Takes what fills {@link #in}.
   *
   * @return what to answer, possibly nothing
   */
  ByteBuffer heard() {
    in.flip();
    return state == State.GREETED ? answer() : decide();
  }

  private ByteBuffer answer() {
    int magic = in.getInt();
    int from = in.getInt();
    if (magic != MAGIC || from <= own.rank() || from >= own.ranks()) {
      state = State.REFUSED;
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
    state = proven ? State.PROVEN : State.REFUSED;
    return proven ? ByteBuffer.wrap(new byte[] {TAKEN}) : ByteBuffer.allocate(0);
  }

  /**
   * Who accepts.
   *
   * @param generation of the world that is being formed
   * @param rank in it; those above it connect to it
   * @param ranks how many it has
   */
  record Rank(RunSecret secret, int generation, int rank, int ranks) {}
}
