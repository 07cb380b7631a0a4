package io.github.amb.runtime.control;

import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * How both ends of a connection prove that they know the run's secret, before either trusts or
 * reveals anything. The rank sends its name and a nonce, the launcher a nonce; then the rank sends
 * its proof, and at last the launcher. A proof holds for one rank, one start of its process, both
 * nonces and both addresses with their ports, so that it is useless anywhere else.
 *
 * @param rank number in the run
 * @param start how often the launcher had started the rank before
 * @param rankNonce 16 bytes, in hexadecimal digits
 * @param launcherNonce 16 bytes, in hexadecimal digits
 * @param rankAddress where the connection comes from
 * @param launcherAddress where it leads to
 */
record Greeting(
    int rank,
    int start,
    String rankNonce,
    String launcherNonce,
    String rankAddress,
    String launcherAddress) {
  static final int MAGIC = 0x414D4243;
  static final byte VERSION = 1;
  static final int NONCE_BYTES = 16;

  /** Bytes that identify the protocol. */
  static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES;

  /** Bytes of a rank's first message: magic number, version, rank, start, nonce. */
  static final int HELLO_BYTES = HEAD_BYTES + 2 * Integer.BYTES + NONCE_BYTES;

  /** Bytes of the launcher's first message: magic number, version, nonce. */
  static final int CHALLENGE_BYTES = HEAD_BYTES + NONCE_BYTES;

  /** Bytes of either's second message: number of received records, proof. */
  static final int PROOF_BYTES = Long.BYTES + Seal.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** An end of the connection. */
  enum End {
    RANK,
    LAUNCHER
  }

  /** A new nonce. */
  static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /** A nonce in hexadecimal digits. */
  static String text(byte[] nonce) {
    return HexFormat.of().formatHex(nonce);
  }

  /** A rank's first message. */
  static ByteBuffer hello(int rank, int start, byte[] nonce) {
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES).putInt(MAGIC).put(VERSION);
    return hello.putInt(rank).putInt(start).put(nonce).flip();
  }

  /** The launcher's first message. */
  static ByteBuffer challenge(byte[] nonce) {
    return ByteBuffer.allocate(CHALLENGE_BYTES).putInt(MAGIC).put(VERSION).put(nonce).flip();
  }

  /**
   * Checks the beginning of a first message, in a buffer that is filled up to its position.
   *
   * @throws MalformedRecordException if it is of another protocol
   */
  static void checkHead(ByteBuffer words) throws MalformedRecordException {
    ByteBuffer expected = ByteBuffer.allocate(HEAD_BYTES).putInt(MAGIC).put(VERSION).flip();
    ByteBuffer found = words.duplicate().flip();
    int length = Math.min(found.remaining(), expected.remaining());
    if (!found.slice(0, length).equals(expected.slice(0, length))) {
      byte[] bytes = new byte[length];
      found.get(bytes);
      throw new MalformedRecordException(
          "expected the greeting of a rank, found bytes " + HexFormat.of().formatHex(bytes));
    }
  }

  /** Reads the nonce at a buffer's position. */
  static byte[] nonce(ByteBuffer words) {
    byte[] nonce = new byte[NONCE_BYTES];
    words.get(nonce);
    return nonce;
  }

  /** The address of a channel's end in a greeting: host and port, or the path of its file. */
  static String address(SocketAddress address) {
    if (address instanceof InetSocketAddress network) {
      // The part after % names an interface of one host alone.
      String host = network.getAddress().getHostAddress().replaceFirst("%.*", "");
      return host + ":" + network.getPort();
    }
    return address.toString();
  }

  /** An end's second message: how many records of the other end it has received, and a proof. */
  ByteBuffer proof(End end, RunSecret secret, long received) {
    byte[] mark = mark(end, secret, received);
    return ByteBuffer.allocate(PROOF_BYTES).putLong(received).put(mark).flip();
  }

  /**
   * Reads an end's second message.
   *
   * @return how many records of the other end it has received
   * @throws MalformedRecordException if the proof is wrong
   */
  long check(End end, RunSecret secret, ByteBuffer words) throws MalformedRecordException {
    long received = words.getLong();
    byte[] found = new byte[Seal.BYTES];
    words.get(found);
    if (!MessageDigest.isEqual(mark(end, secret, received), found)) {
      throw new MalformedRecordException(
          "expected %s's proof for this connection, found another"
              .formatted(end == End.RANK ? "rank " + rank : "the launcher"));
    }
    return received;
  }

  private byte[] mark(End end, RunSecret secret, long received) {
    return secret.authenticate("control: " + end, this + " " + received);
  }

  /** The seal of an end's records. */
  Seal seal(End end, RunSecret secret) {
    return new Seal(secret.authenticate("control: records of " + end, toString()));
  }
}
