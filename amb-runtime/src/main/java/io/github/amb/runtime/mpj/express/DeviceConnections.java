package io.github.amb.runtime.mpj.express;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Vector;
import xdev.Device;

/**
 * One of niodev's two lists of connections.
 *
 * @param device niodev
 * @param channels the list
 * @param blocking true if niodev writes to them, false if its selector reads from them
 */
record DeviceConnections(Device device, Vector<SocketChannel> channels, boolean blocking) {
  /** The list for the connections that niodev accepts at {@code server}. */
  @SuppressWarnings("unchecked")
  static DeviceConnections of(Device device, ServerSocketChannel server) {
    boolean writable = server == DeviceChannels.value(device, "writableServerChannel");
    String list = writable ? "writableChannels" : "readableChannels";
    return new DeviceConnections(
        device, (Vector<SocketChannel>) DeviceChannels.value(device, list), writable);
  }

  /**
   * Hands a connection over to niodev.
   *
   * @param channel non-blocking, and not registered with any selector
   * @throws IOException if it, or niodev, has ended
   */
  void admit(SocketChannel channel) throws IOException {
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
}
