package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import xdev.niodev.NIODevice;

/** A connection to this rank, by a rank or by anything else, until that is known. */
final class Newcomer {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SocketChannel channel;
  private final NIODevice device;
  private final Vector<SocketChannel> channels;
  private final boolean blocking;
  private final byte[] expected;
  private final ByteBuffer found;
  private final long end = System.nanoTime() + PATIENCE_NANOS;

  /**
   * @param channel its connection, which is not blocking from now on
   * @param device niodev, which is to get it
   * @param channels niodev's list for it
   * @param blocking how niodev wants it
   */
  Newcomer(
      SocketChannel channel, NIODevice device, Vector<SocketChannel> channels, boolean blocking)
      throws IOException {
    this.channel = channel;
    this.device = device;
    this.channels = channels;
    this.blocking = blocking;
    expected = Gate.proof(channel.socket().getLocalPort()).array();
    found = ByteBuffer.allocate(expected.length);
    channel.configureBlocking(false);
  }

  /** Has {@code selector} tell when it has said something. */
  void register(Selector selector) throws IOException {
    channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Reads what it has said; returns whether more is to come. */
  boolean read() {
    try {
      return channel.read(found) >= 0 && found.hasRemaining();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it has said what only a rank can. */
  boolean isProven() {
    return MessageDigest.isEqual(expected, found.array());
  }

  /** Whether it has taken too long. */
  boolean isLate() {
    return System.nanoTime() - end > 0;
  }

  /** Hands the connection to niodev. */
  void admit() throws IOException {
    Selector selector = (Selector) DeviceChannels.value(device, "selector");
    int others = (int) DeviceChannels.value(device, "nprocs") - 1;
    DeviceChannels.prepare(channel.socket());
    channel.configureBlocking(blocking);
    synchronized (channels) {
      if (!blocking) {
        channel.register(selector, SelectionKey.OP_READ);
      }
      channels.add(channel);
      if (channels.size() == others) {
        channels.notifyAll();
      }
    }
    selector.wakeup();
  }

  /** Closes the connection; returns where it came from, as {@code host:port}. */
  String drop() {
    Socket socket = channel.socket();
    String from = socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    DeviceChannels.closeOne(channel);
    return from;
  }
}
