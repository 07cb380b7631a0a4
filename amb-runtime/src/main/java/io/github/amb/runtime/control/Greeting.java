package io.github.amb.runtime.control;

import io.github.amb.runtime.mpj.world.RunSecret;
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
  private static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES;

  /** Bytes of a rank's first message: magic number, version, rank, start, nonce. */
  static final int HELLO_BYTES = HEAD_BYTES + 2 * Integer.BYTES + NONCE_BYTES;

  /** Bytes of the launcher's first message: magic number, version, nonce. */
  static final int CHALLENGE_BYTES = HEAD_BYTES + NONCE_BYTES;

  /** Bytes of either's second message: number of received records, proof. */
  static final int PROOF_BYTES = Long.BYTES + Seal.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

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

  /** The rank's second message. */
  ByteBuffer proofOfRank(RunSecret secret, long received) {
    return words(received, proof(secret, "control: rank", received));
  }

  /** The launcher's second message. */
  ByteBuffer proofOfLauncher(RunSecret secret, long received) {
    return words(received, proof(secret, "control: launcher", received));
  }

  private static ByteBuffer words(long received, byte[] proof) {
    return ByteBuffer.allocate(PROOF_BYTES).putLong(received).put(proof).flip();
  }

  /**
   * Reads the rank's second message.
   *
   * @return how many orders the rank has received
   * @throws MalformedRecordException if the proof is wrong
   */
  long checkRank(RunSecret secret, ByteBuffer words) throws MalformedRecordException {
    return check(secret, "control: rank", "rank " + rank, words);
  }

  /**
   * Reads the launcher's second message.
   *
   * @return how many reports the launcher has received
   * @throws MalformedRecordException if the proof is wrong
   */
  long checkLauncher(RunSecret secret, ByteBuffer words) throws MalformedRecordException {
    return check(secret, "control: launcher", "the launcher", words);
  }

  private long check(RunSecret secret, String purpose, String who, ByteBuffer words)
      throws MalformedRecordException {
    long received = words.getLong();
    byte[] found = new byte[Seal.BYTES];
    words.get(found);
    if (!MessageDigest.isEqual(proof(secret, purpose, received), found)) {
      throw new MalformedRecordException(
          "expected %s's proof for this connection, found another".formatted(who));
    }
    return received;
  }

  private byte[] proof(RunSecret secret, String purpose, long received) {
    return secret.authenticate(purpose, this + " " + received);
  }

  /** The seal of the rank's records. */
  Seal sealOfRank(RunSecret secret) {
    return new Seal(secret.authenticate("control: records of a rank", toString()));
  }

  /** The seal of the launcher's records. */
  Seal sealOfLauncher(RunSecret secret) {
    return new Seal(secret.authenticate("control: records of the launcher", toString()));
  }
}
