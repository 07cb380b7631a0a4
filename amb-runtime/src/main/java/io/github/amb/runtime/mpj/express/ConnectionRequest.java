package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;

/**
 * The connecting rank's side of {@link Challenge}. It sends its proof only after the other rank's
 * proof.
 */
final class ConnectionRequest {
  /**
   * Longer than the accepting rank waits before it rejects this one, so that both agree on the
   * result.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private ConnectionRequest() {}

  /**
   * Returns when the accepting rank has proven that it is the intended one, and has accepted this
   * one.
   *
   * @param channel connected, in blocking mode
   * @param secret the run's secret
   * @param link the connection as this rank sees it
   * @throws IOException if the peer is another one, is too slow, or ends early
   */
  static void at(SocketChannel channel, RunSecret secret, ConnectionSide link) throws IOException {
    Socket socket = channel.socket();
    DataInputStream in =
        new DataInputStream(
            new Patient(socket.getInputStream(), socket, System.nanoTime() + PATIENCE_NANOS));
    byte[] asked = RunSecret.nonce();
    ByteBuffer hello = ByteBuffer.allocate(Challenge.HELLO);
    write(channel, hello.putInt(Challenge.MAGIC).putInt(link.from()).put(asked).flip());
    ConnectionSide.Nonces nonces =
        new ConnectionSide.Nonces(asked, in.readNBytes(ConnectionSide.BYTES));
    byte[] proof = in.readNBytes(ConnectionSide.BYTES);
    if (nonces.accepting().length < ConnectionSide.BYTES
        || !MessageDigest.isEqual(link.proofOfAccepting(secret, nonces), proof)) {
      throw new IOException(
          "expected rank %d at %s, found a peer without its secret"
              .formatted(link.to(), link.place()));
    }
    write(channel, ByteBuffer.wrap(link.proofOfConnecting(secret, nonces)));
    if (in.read() != Challenge.TAKEN) {
      throw new EOFException("rank %d closed the connection".formatted(link.to()));
    }
    socket.setSoTimeout(0);
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Reads until a deadline that holds for all reads together. */
  private static final class Patient extends FilterInputStream {
    private final Socket socket;
    private final long end;

    Patient(InputStream in, Socket socket, long end) {
      super(in);
      this.socket = socket;
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      limit(end - System.nanoTime());
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      limit(end - System.nanoTime());
      return super.read(bytes, offset, length);
    }

    private void limit(long nanos) throws IOException {
      int millis = (int) TimeUnit.NANOSECONDS.toMillis(nanos);
      if (millis <= 0) {
        throw new SocketTimeoutException("no answer before the deadline");
      }
      socket.setSoTimeout(millis);
    }
  }
}
