package io.github.amb.bench.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The yardstick: one loopback connection with niodev's options and direct memory at both ends. */
final class RawSocket {
  private static final int SOCKET_BUFFER = 512 << 10;

  private final SocketChannel channel;
  private final ByteBuffer memory;

  /** The floats received last, from index 0 on. */
  final FloatBuffer floats;

  private RawSocket(SocketChannel channel, int capacity) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
    memory = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    floats = memory.asFloatBuffer();
  }

  static ServerSocketChannel listen() throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  static RawSocket accept(ServerSocketChannel server, int capacity) throws IOException {
    return new RawSocket(server.accept(), capacity);
  }

  static RawSocket connect(int port, int capacity) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new RawSocket(SocketChannel.open(address), capacity);
  }

  void send(int bytes) throws IOException {
    memory.clear().limit(bytes);
    while (memory.hasRemaining()) {
      channel.write(memory);
    }
  }

  void receive(int bytes) throws IOException {
    memory.clear().limit(bytes);
    while (memory.hasRemaining()) {
      if (channel.read(memory) < 0) {
        throw new EOFException("peer closed the connection");
      }
    }
  }
}
