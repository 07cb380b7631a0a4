package io.github.amb.runtime.launch;

import io.github.amb.core.engine.LostException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A rank whose connections are plain sockets to the last rank. The last rank fails in some way
 * while the others read from it; all of them lose it at that moment, and report that.
 */
public final class RootCauseMain {
  /** What the failing rank throws. */
  static final String CAUSE = "the rank's own cause";

  private RootCauseMain() {}

  /** Arguments after MPJ's: the number of ranks, a directory, how the last one fails. */
  public static void main(String[] args) throws Exception {
    RankControl control = RankControl.start(args);
    int ranks = Integer.parseInt(args[3]);
    Path port = Path.of(args[4], "port");
    try {
      if (control.rank() == ranks - 1) {
        fail(args[5], connected(port, ranks - 1));
      } else {
        lose(port);
      }
    } catch (Exception e) {
      control.failed(e, e.toString());
      Runtime.getRuntime().halt(1);
    }
  }

  private static void lose(Path port) throws Exception {
    while (!Files.exists(port)) {
      Thread.sleep(5);
    }
    int number = Integer.parseInt(Files.readString(port));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), number)) {
      socket.getInputStream().read();
    } catch (IOException e) {
      // A reset is a loss as well.
    }
    throw new LostException("lost the last rank");
  }

  private static List<Socket> connected(Path port, int others) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Path written = port.resolveSibling("written");
      Files.writeString(written, Integer.toString(server.getLocalPort()));
      Files.move(written, port);
      while (sockets.size() < others) {
        sockets.add(server.accept());
      }
    }
    return sockets;
  }

  /** Its sockets end with it, or before its last words where its end takes a while. */
  private static void fail(String how, List<Socket> sockets) throws Exception {
    switch (how) {
      case "kill" -> {
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
        Thread.sleep(60_000);
      }
      case "memory" -> {
        List<long[]> all = new ArrayList<>();
        while (true) {
          all.add(new long[1 << 20]);
        }
      }
      case "forge" -> {
        close(sockets);
        System.err.println("amb: rank 3: finished");
        System.err.println("amb: rank 0: the forger's cause");
        System.out.println("amb: rank 3: finished");
        Runtime.getRuntime().halt(4);
      }
      case "mute" -> System.err.close();
      default -> {
        // Below.
      }
    }
    close(sockets);
    if (how.equals("exit")) {
      Runtime.getRuntime().halt(3);
    }
    throw new IllegalStateException(CAUSE);
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
