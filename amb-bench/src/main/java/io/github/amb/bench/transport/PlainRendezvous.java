package io.github.amb.bench.transport;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The rendezvous of plain MPJ Express' ranks, without authentication. Each rank sends its two ports
 * and receives those of all ranks.
 *
 * <p>A rank sends the string "Sending Info" and three ints: write port, read port and rank. When
 * all have done so, each receives {@code #Peer Information;host@readPort@writePort@rank@0;…} in
 * rank order.
 */
final class PlainRendezvous implements AutoCloseable {
  private static final String GREETING = "Sending Info";
  private static final int STOCK_EAGER_BYTES = 128 << 10;
  private static final int PATIENCE_MILLIS = 2000;

  private final ServerSocket server;
  private final Socket[] sockets;
  private final String[] entries;

  /** A rendezvous for ranks, which are identified by the addresses of their connections. */
  PlainRendezvous(int ranks) throws IOException {
    server = new ServerSocket(0, Math.max(50, ranks), InetAddress.getLoopbackAddress());
    sockets = new Socket[ranks];
    entries = new String[ranks];
    Thread thread = new Thread(this::serve, "rendezvous");
    thread.setDaemon(true);
    thread.start();
  }

  /** The configuration of a rank of this host, in MPJ Express' format. */
  static String configuration(int ranks, int port) {
    return String.format(
        Locale.ROOT,
        "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;127.0.0.1;#Server Port;%d",
        ranks,
        STOCK_EAGER_BYTES,
        port);
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    try (server) {
      for (int met = 0; met < sockets.length; ) {
        met += greet(server.accept()) ? 1 : 0;
      }
      introduce();
    } catch (IOException e) {
      // Closed by this program, or a rank ended while it waited; its exit code says why.
    }
  }

  /** Reads a rank's ports; a connection that is not a rank's is rejected. */
  private boolean greet(Socket socket) throws IOException {
    try {
      socket.setSoTimeout(PATIENCE_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      if (in.readUTF().equals(GREETING)) {
        int writePort = in.readInt();
        int readPort = in.readInt();
        if (register(in.readInt(), readPort, writePort, socket)) {
          return true;
        }
      }
    } catch (IOException e) {
      // Not a rank, or one that has ended: rejected below.
    }
    socket.close();
    return false;
  }

  private synchronized boolean register(int rank, int readPort, int writePort, Socket socket) {
    if (rank < 0 || rank >= sockets.length || sockets[rank] != null) {
      return false;
    }
    String host = socket.getInetAddress().getHostAddress();
    entries[rank] = ";" + host + "@" + readPort + "@" + writePort + "@" + rank + "@0";
    sockets[rank] = socket;
    return true;
  }

  private void introduce() throws IOException {
    String everyone = "#Peer Information" + String.join("", entries);
    for (Socket socket : sockets) {
      try (socket) {
        new DataOutputStream(socket.getOutputStream()).writeUTF(everyone);
      }
    }
  }

  /** Closes the connections; ranks that still wait notice it. */
  @Override
  public void close() throws IOException {
    server.close();
    List<Socket> waiting;
    synchronized (this) {
      waiting = Stream.of(sockets).filter(Objects::nonNull).toList();
    }
    for (Socket socket : waiting) {
      socket.close();
    }
  }
}
