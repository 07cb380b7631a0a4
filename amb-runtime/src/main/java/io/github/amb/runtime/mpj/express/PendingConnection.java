package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection to this rank, by a rank or by anything else, until that is known. */
final class PendingConnection {
  private final SocketChannel channel;
  private final ConnectionSink entrance;
  private final Challenge challenge;
  private final long end;
  private ByteBuffer welcome;

  /**
   * @param channel its connection, which is not blocking from now on
   * @param entrance by which it came
   * @param end the keeper's time at which it is too late
   */
  PendingConnection(SocketChannel channel, ConnectionSink entrance, Challenge.Rank own, long end)
      throws IOException {
    this.channel = channel;
    this.entrance = entrance;
    this.end = end;
    challenge = new Challenge(own, (InetSocketAddress) channel.getLocalAddress());
    channel.configureBlocking(false);
  }

  /** Has {@code selector} tell when it has said something. */
  void register(Selector selector) throws IOException {
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Reads what it has said, and answers; returns whether more is to come. */
  boolean read() {
    try {
      int read = channel.read(challenge.in());
      while (read > 0) {
        if (!challenge.in().hasRemaining() && !answer()) {
          return false;
        }
        read = channel.read(challenge.in());
      }
      return read == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answer() throws IOException {
    ByteBuffer answer = challenge.heard();
    if (isProven()) {
      welcome = answer;
    }
    return challenge.state() == Challenge.State.ANSWERED && say(answer);
  }

  /** Whether all of it was sent, for which a new connection has room. */
  private boolean say(ByteBuffer answer) throws IOException {
    channel.write(answer);
    return !answer.hasRemaining();
  }

  /** Whether it has said what only a rank can. */
  boolean isProven() {
    return challenge.state() == Challenge.State.PROVEN;
  }

  /** Whether it has taken too long. */
  boolean isLate(long now) {
    return now - end > 0;
  }

  /** Tells the rank that it is taken, and hands its connection over. */
  void admit() throws IOException {
    if (!say(welcome)) {
      throw new IOException("expected to send one byte, found the connection's buffer full");
    }
    entrance.admit(channel);
  }

  /** Closes the connection; returns where it came from, as {@code host:port}. */
  String drop() {
    Socket socket = channel.socket();
    String from = socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    DeviceChannels.closeOne(channel);
    return from;
  }
}
