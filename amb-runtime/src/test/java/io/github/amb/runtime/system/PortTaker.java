package io.github.amb.runtime.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Runs a program where each port of a range is taken. */
final class PortTaker {
  private static final List<ServerSocket> TAKEN = new ArrayList<>();

  private PortTaker() {}

  /**
   * Of a host of its own: no other test finds a port meanwhile. Arguments: the first and last port,
   * the program and its own.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> words = List.of(arguments);
    for (int port = Integer.parseInt(words.get(0));
        port <= Integer.parseInt(words.get(1));
        port++) {
      TAKEN.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    }
    Process program = new ProcessBuilder(words.subList(2, words.size())).inheritIO().start();
    System.exit(program.waitFor());
  }
}
