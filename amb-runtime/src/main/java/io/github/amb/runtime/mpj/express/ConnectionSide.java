package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A connection as one of its ranks sees it. Either rank proves the run's secret for all of it, so
 * that a proof is useless for another generation, rank, host, port or attempt.
 *
 * @param generation number of the generation that is being formed
 * @param from the rank that connects
 * @param to the rank that accepts
 * @param place address on which it accepts
 */
record ConnectionSide(int generation, int from, int to, InetSocketAddress place) {
  /** Bytes of a nonce, and of a proof. */
  static final int BYTES = 32;

  /** The accepting rank's proof. */
  byte[] proofOfAccepting(RunSecret secret, Nonces nonces) {
    return proof(secret, "accepts", nonces);
  }

  /** The connecting rank's proof. */
  byte[] proofOfConnecting(RunSecret secret, Nonces nonces) {
    return proof(secret, "connects", nonces);
  }

  private byte[] proof(RunSecret secret, String role, Nonces nonces) {
    byte[] label = ("link of ranks, who " + role).getBytes(StandardCharsets.US_ASCII);
    byte[] address = place.getAddress().getAddress();
    ByteBuffer said =
        ByteBuffer.allocate(label.length + 5 * Integer.BYTES + address.length + 2 * BYTES);
    said.put(label).putInt(generation).putInt(from).putInt(to);
    said.putInt(place.getPort()).putInt(address.length).put(address);
    return secret.sign(said.put(nonces.connecting).put(nonces.accepting).array());
  }

  /**
   * The nonces of one attempt.
   *
   * @param connecting drawn by the rank that connects
   * @param accepting drawn by the rank that accepts
   */
  record Nonces(byte[] connecting, byte[] accepting) {}
}
