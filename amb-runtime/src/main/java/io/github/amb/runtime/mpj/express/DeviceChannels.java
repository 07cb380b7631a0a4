package io.github.amb.runtime.mpj.express;

import io.github.amb.core.engine.EngineException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import xdev.Device;

/**
 * Closes niodev's connections and its selector, for which MPJ Express has no call that does not
 * wait for the other ranks. Its threads end then, and with them the last references to its world.
 */
final class DeviceChannels {
  /** All connections, and those of ranks alone, by direction. */
  private static final Map<String, String> TABLES =
      Map.of(
          "writableChannels", "worldWritableTable",
          "readableChannels", "worldReadableTable");

  private static final Set<String> LISTS = TABLES.keySet();
  private static final List<String> SINGLE =
      List.of("writableServerChannel", "readableServerChannel", "selector");

  private DeviceChannels() {}

  static void close(Device device) {
    for (String name : LISTS) {
      if (value(device, name) instanceof List<?> channels) {
        List.copyOf(channels).forEach(DeviceChannels::close);
      }
    }
    SINGLE.forEach(name -> close(value(device, name)));
  }

  /** Connections, also those that have ended, as {@code port>host:port}. */
  static List<String> connections(Device device) {
    List<String> connections = new ArrayList<>();
    for (String name : LISTS) {
      if (value(device, name) instanceof List<?> channels) {
        List.copyOf(channels).forEach(channel -> connections.add(describe(channel)));
      }
    }
    return connections;
  }

  /**
   * Closes connections of which no rank has said that they are its own, in a world that is formed.
   *
   * @return their other ends, as {@code host:port}
   */
  static List<String> dropStrangers(Device device) {
    List<String> dropped = new ArrayList<>();
    TABLES.forEach(
        (list, table) -> {
          if (value(device, list) instanceof List<?> channels
              && value(device, table) instanceof Map<?, ?> ranks) {
            for (Object channel : List.copyOf(channels)) {
              if (!ranks.containsValue(channel)) {
                channels.remove(channel);
                dropped.add(other(((SocketChannel) channel).socket()));
                close(channel);
              }
            }
          }
        });
    return dropped;
  }

  private static String other(Socket socket) {
    return socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
  }

  private static String describe(Object channel) {
    Socket socket = ((SocketChannel) channel).socket();
    return socket.getLocalPort() + ">" + other(socket);
  }

  private static void close(Object channel) {
    try {
      if (channel instanceof Closeable closeable) {
        closeable.close();
      }
    } catch (IOException e) {
      // It was broken already.
    }
  }

  private static Object value(Device device, String name) {
    try {
      Field field = device.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(device);
    } catch (ReflectiveOperationException e) {
      throw new EngineException("expected niodev of MPJ Express 0.44, found none with " + name, e);
    }
  }
}
