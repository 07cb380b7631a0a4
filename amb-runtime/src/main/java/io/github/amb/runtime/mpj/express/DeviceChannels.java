package io.github.amb.runtime.mpj.express;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.file.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.util.List;
import xdev.Device;

/**
 * Closes niodev's connections and its selector. MPJ Express has no call for it that does not wait
 * for other ranks. niodev's threads then end, and with them the last references to its classes.
 */
final class DeviceChannels {
  private static final List<String> LISTS = List.of("writableChannels", "readableChannels");

  /** Bytes of a socket's buffers. */
  private static final int BUFFER = 512 << 10;

  private static final List<String> SINGLE =
      List.of("writableServerChannel", "readableServerChannel", "selector");

  private DeviceChannels() {}

  static void close(Device device) {
    for (String name : LISTS) {
      if (value(device, name) instanceof List<?> channels) {
        List.copyOf(channels).forEach(DeviceChannels::closeOne);
      }
    }
    SINGLE.forEach(name -> closeOne(value(device, name)));
  }

  /** Sets the options that niodev sets for its connections. */
  static void prepare(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSendBufferSize(BUFFER);
    socket.setReceiveBufferSize(BUFFER);
  }

  /** Closes a channel or selector; ignores other objects. */
  static void closeOne(Object channel) {
    if (channel instanceof Closeable closeable) {
      Closing.quietly(closeable);
    }
  }

  /** The value of a field of niodev. */
  static Object value(Device device, String name) {
    try {
      Field field = device.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(device);
    } catch (ReflectiveOperationException e) {
      throw new EngineException("expected niodev of MPJ Express 0.44, found none with " + name, e);
    }
  }
}
