package io.github.amb.runtime.system;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code amb} where each port that ranks may listen on is taken. */
final class PortTaker {
  private static final List<ServerSocket> TAKEN = new ArrayList<>();

  private PortTaker() {}

  /** Of a host of its own: no other test finds a port meanwhile. */
  public static void main(String[] arguments) throws IOException {
    for (int port = 25_000; port <= 40_000; port++) {
      TAKEN.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    }
    Amb.main(arguments);
  }
}
