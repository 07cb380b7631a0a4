package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A pending connection to this rank: its peer has not proven which rank it is. */
final class PendingConnection {
  private final SocketChannel channel;
  private final ConnectionSink entrance;
  private final Challenge challenge;
  private final long end;
  private ByteBuffer welcome;

  /**
   * @param channel the connection, made non-blocking
   * @param entrance receives the connection after the proof
   * @param own the accepting rank
   * @param end deadline of the proof, in nanoseconds of the authenticator's clock
   */
  PendingConnection(SocketChannel channel, ConnectionSink entrance, Challenge.Rank own, long end)
      throws IOException {
    this.channel = channel;
    this.entrance = entrance;
    this.end = end;
    challenge = new Challenge(own, (InetSocketAddress) channel.getLocalAddress());
    channel.configureBlocking(false);
  }

  /** Registers the connection with {@code selector} for reading. */
  void register(Selector selector) throws IOException {
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Reads what has arrived, and answers; returns whether more is expected. */
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

  /** Sends an answer, for which a new connection has room; returns whether all of it was sent. */
  private boolean say(ByteBuffer answer) throws IOException {
    channel.write(answer);
    return !answer.hasRemaining();
  }

  /** Whether the peer has proven which rank it is. */
  boolean isProven() {
    return challenge.state() == Challenge.State.PROVEN;
  }

  /** Whether the deadline has passed. */
  boolean isLate(long now) {
    return now - end > 0;
  }

  /** Sends the acceptance, and hands the connection over. */
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
