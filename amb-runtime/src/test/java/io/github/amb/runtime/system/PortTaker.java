package io.github.amb.runtime.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Runs a program while each port of a range is in use. */
final class PortTaker {
  private static final List<ServerSocket> TAKEN = new ArrayList<>();

  private PortTaker() {}

  /**
   * Runs on a host of its own, as no other test would find a port. Arguments: the first and last
   * port, the program and its arguments.
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
