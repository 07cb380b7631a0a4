package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Vector;
import xdev.niodev.NIODevice;

/**
 * How niodev's connections come about, in place of its own two calls: whoever connects proves first
 * to know the run's secret, and only then niodev gets the connection. It takes whoever connects for
 * a rank, and believes whatever it says.
 */
public final class Gate {
  private static final GateKeeper KEEPER = new GateKeeper();

  private Gate() {}

  /** As {@link SocketChannel#connect}, of a channel in blocking mode, and proves who connects. */
  public static boolean connect(SocketChannel channel, SocketAddress address) throws IOException {
    boolean connected = channel.connect(address);
    ByteBuffer proof = proof(((InetSocketAddress) address).getPort());
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
    if (channel != null) {
      KEEPER.take(new Newcomer(channel, device, channels, blocking));
    }
    return false;
  }

  /**
   * No rank is to come any more: drops whoever has not proved to be one.
   *
   * @return all that were dropped, as {@code host:port}
   */
  static List<String> close() {
    return KEEPER.close();
  }

  /** What a rank says that connects to a port. */
  static ByteBuffer proof(int port) {
    String proof = RunSecret.own().proofOfConnection(port);
    return ByteBuffer.wrap(proof.getBytes(StandardCharsets.US_ASCII));
  }
}
