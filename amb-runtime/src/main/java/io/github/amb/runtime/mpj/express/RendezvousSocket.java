package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.Rendezvous;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Replaces the {@link Socket} on which niodev exchanges ports with MPJ Express' launcher, whose
 * answers it trusts. A rank with a {@link Rendezvous} makes no connection, and exchanges the same
 * data there.
 */
public final class RendezvousSocket extends Socket {
  private static volatile Rendezvous meeting;

  private final Rendezvous place = meeting;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  /** Connects, unless there is a {@link Rendezvous}. */
  public RendezvousSocket(String host, int port) throws IOException {
    if (place == null) {
      connect(new InetSocketAddress(host, port));
    }
  }

  /** Sets where this socket exchanges the ports; null for MPJ Express' own place. */
  static void at(Rendezvous place) {
    meeting = place;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return place == null ? super.getOutputStream() : said;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return place == null ? super.getInputStream() : new Answer();
  }

  /** niodev has written a greeting, the port on which it writes, and the port on which it reads. */
  private byte[] answer() throws IOException {
    DataInputStream words = new DataInputStream(new ByteArrayInputStream(said.toByteArray()));
    words.readUTF();
    int writePort = words.readInt();
    int readPort = words.readInt();
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    new DataOutputStream(answer).writeUTF(place.meet(readPort, writePort));
    return answer.toByteArray();
  }

  /** Computed at the first read, when niodev has written everything. */
  private final class Answer extends InputStream {
    private InputStream bytes;

    @Override
    public int read() throws IOException {
      if (bytes == null) {
        bytes = new ByteArrayInputStream(answer());
      }
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int first = read();
      if (first < 0) {
        return -1;
      }
      target[offset] = (byte) first;
      return 1 + Math.max(0, bytes.read(target, offset + 1, length - 1));
    }
  }
}
