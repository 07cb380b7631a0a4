package io.github.amb.runtime.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where processes listen, as Linux' {@code /proc} tells. */
public final class Listening {
  private static final String LISTEN = "0A";
  private static final int WORD = 4;

  private Listening() {}

  /** Addresses, without ports, on which any of some processes listens. */
  public static Set<String> addresses(List<ProcessHandle> processes) throws IOException {
    return sockets(processes).stream()
        .map(socket -> socket.getAddress().getHostAddress())
        .collect(Collectors.toSet());
  }

  /** Where any of some processes listens. */
  public static Set<InetSocketAddress> sockets(List<ProcessHandle> processes) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (ProcessHandle process : processes) {
      sockets.addAll(sockets(process));
    }
    Set<InetSocketAddress> addresses = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.strip().split("\\s+");
        if (words[3].equals(LISTEN) && sockets.contains("socket:[" + words[9] + "]")) {
          int colon = words[1].indexOf(':');
          int port = Integer.parseInt(words[1].substring(colon + 1), 16);
          addresses.add(new InetSocketAddress(address(words[1].substring(0, colon)), port));
        }
      }
    }
    return addresses;
  }

  private static Set<String> sockets(ProcessHandle process) {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      for (Path file : files.toList()) {
        sockets.add(Files.readSymbolicLink(file).toString());
      }
    } catch (IOException e) {
      // It has ended, or has just closed a file.
    }
    return sockets;
  }

  /** The kernel writes words of four bytes in the machine's order, here the lowest first. */
  private static InetAddress address(String hex) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    byte[] address = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      address[i] = bytes[i / WORD * WORD + WORD - 1 - i % WORD];
    }
    return InetAddress.getByAddress(address);
  }
}
