package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.concurrent.ThreadLocalRandom;

/** The ports of a host on which its ranks listen. niodev tries random ones until one is free. */
public final class RankPorts {
  private static final int FIRST = 25_000;
  private static final int LAST = 40_000;

  private RankPorts() {}

  /**
   * Listens on a free port; the caller closes the socket.
   *
   * @param address address of this host on which it listens
   * @throws IOException if no port is free
   */
  public static ServerSocket listen(InetAddress address) throws IOException {
    int ports = LAST - FIRST + 1;
    int start = ThreadLocalRandom.current().nextInt(ports);
    for (int i = 0; i < ports; i++) {
      try {
        return new ServerSocket(FIRST + (start + i) % ports, 1, address);
      } catch (SocketException e) {
        // In use: try the next port.
      }
    }
    throw new IOException(noneFree(address));
  }

  /** The message if no port of {@code address} is free. */
  public static String noneFree(InetAddress address) {
    return "cannot listen: expected a free port from %d to %d at %s, found none; end the programs that use them, or choose another address with --bind"
        .formatted(FIRST, LAST, address.getHostAddress());
  }
}
