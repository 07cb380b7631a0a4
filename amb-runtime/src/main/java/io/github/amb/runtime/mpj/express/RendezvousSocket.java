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
 * What niodev gets in place of the {@link Socket} on which it tells MPJ Express' launcher its ports
 * and is told everyone's, believing whoever answers. A rank that has a {@link Rendezvous} connects
 * nowhere, and says and hears the same there.
 */
public final class RendezvousSocket extends Socket {
  private static volatile Rendezvous meeting;

  private final Rendezvous place = meeting;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  /** Connects if there is no meeting. */
  public RendezvousSocket(String host, int port) throws IOException {
    if (place == null) {
      connect(new InetSocketAddress(host, port));
    }
  }

  /** Has this world's socket meet there; null for MPJ Express' own place. */
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

  /** What niodev has said is a greeting, the port on which it writes, that on which it reads. */
  private byte[] answer() throws IOException {
    DataInputStream words = new DataInputStream(new ByteArrayInputStream(said.toByteArray()));
    words.readUTF();
    int writePort = words.readInt();
    int readPort = words.readInt();
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    new DataOutputStream(answer).writeUTF(place.meet(readPort, writePort));
    return answer.toByteArray();
  }

  /** Comes when it is first read, as niodev has said all then. */
  private final class Answer extends InputStream {
    private InputStream bytes;

    @Override
    public int read() throws IOException {
      if (bytes == null) {
        bytes = new ByteArrayInputStream(answer());
      }
      return bytes.read();
    }
  }
}
