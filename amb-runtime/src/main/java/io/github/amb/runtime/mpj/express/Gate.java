package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import xdev.niodev.NIODevice;

/**
 * How niodev's connections come about, in place of its own two calls: whoever connects proves first
 * to know the run's secret, and only then niodev gets the connection. It takes whoever connects for
 * a rank, and believes whatever it says.
 */
public final class Gate {
  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);

  /** Strangers that are remembered. */
  private static final int MOST = 1000;

  private static final Set<SocketChannel> waiting = new HashSet<>();
  private static final List<String> strangers = new ArrayList<>();
  private static boolean closed;

  private Gate() {}

  /** As {@link SocketChannel#connect}, of a channel in blocking mode, and proves who connects. */
  public static boolean connect(SocketChannel channel, SocketAddress address) throws IOException {
    boolean connected = channel.connect(address);
    ByteBuffer proof = ByteBuffer.wrap(proof(((InetSocketAddress) address).getPort()));
    while (proof.hasRemaining()) {
      channel.write(proof);
    }
    return connected;
  }

  /**
   * As niodev's own: takes a connection that waits; it is added to {@code channels} later, if it is
   * a rank's.
   *
   * @param server a server socket
   * @param blocking whether niodev writes to the connection, or its selector reads from it
   */
  public static boolean doAccept(
      NIODevice device, SelectableChannel server, Vector<SocketChannel> channels, boolean blocking)
      throws IOException {
    SocketChannel channel = server.isOpen() ? ((ServerSocketChannel) server).accept() : null;
    if (channel != null && await(channel)) {
      Thread thread = new Thread(() -> admit(device, channel, channels, blocking), "mpj-gate");
      thread.setDaemon(true);
      thread.start();
    }
    return false;
  }

  private static synchronized boolean await(SocketChannel channel) throws IOException {
    if (closed || waiting.size() >= MOST) {
      channel.close();
      return false;
    }
    return waiting.add(channel);
  }

  /**
   * No rank is to come any more: drops whoever has not proved to be one.
   *
   * @return all that were dropped, as {@code host:port}
   */
  static synchronized List<String> close() {
    closed = true;
    List.copyOf(waiting).forEach(Gate::drop);
    return List.copyOf(strangers);
  }

  private static void admit(
      NIODevice device, SocketChannel channel, Vector<SocketChannel> channels, boolean blocking) {
    try {
      if (isProven(channel) && leave(channel)) {
        add(device, channel, channels, blocking);
      }
    } catch (IOException | RuntimeException e) {
      // Not a rank, too slow, or niodev has ended.
    }
    drop(channel);
  }

  private static synchronized boolean leave(SocketChannel channel) {
    return waiting.remove(channel);
  }

  private static synchronized void drop(SocketChannel channel) {
    if (!waiting.remove(channel)) {
      return;
    }
    Socket socket = channel.socket();
    if (strangers.size() < MOST) {
      strangers.add(socket.getInetAddress().getHostAddress() + ":" + socket.getPort());
    }
    try {
      channel.close();
    } catch (IOException e) {
      // It was broken already.
    }
  }

  private static boolean isProven(SocketChannel channel) throws IOException {
    byte[] expected = proof(channel.socket().getLocalPort());
    ByteBuffer found = ByteBuffer.allocate(expected.length);
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
      while (found.hasRemaining() && System.nanoTime() < end) {
        selector.select(PATIENCE_MILLIS);
        selector.selectedKeys().clear();
        if (channel.read(found) < 0) {
          return false;
        }
      }
    }
    return MessageDigest.isEqual(expected, found.array());
  }

  private static void add(
      NIODevice device, SocketChannel channel, Vector<SocketChannel> channels, boolean blocking)
      throws IOException {
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

  private static byte[] proof(int port) {
    return RunSecret.own().proof("connection to port " + port).getBytes(StandardCharsets.US_ASCII);
  }
}
