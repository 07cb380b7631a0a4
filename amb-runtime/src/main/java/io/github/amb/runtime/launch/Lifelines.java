package io.github.amb.runtime.launch;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The launcher's ends of the connections on which it and ranks on other hosts tell each other every
 * second that they live. They take the way that the ranks' messages take, so that a link that is
 * cut shows, which a remote shell on another network, or none at all, would not see.
 */
final class Lifelines implements AutoCloseable {
  /** Between two signs of life. */
  static final int PULSE_MILLIS = 1000;

  /** Silence after which a connection is given up; a rank that lives makes a new one. */
  private static final int BROKEN_MILLIS = 10_000;

  private final ServerSocket server;
  private final RunSecret secret;
  private final Map<Integer, Runnable> listeners = new ConcurrentHashMap<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final DroppedConnections dropped = new DroppedConnections("the launcher");
  private boolean closed;

  /** Listens at {@code address}. */
  Lifelines(InetAddress address, int backlog, RunSecret secret) throws IOException {
    this.secret = secret;
    server = new ServerSocket(0, Math.max(50, backlog), address);
    start("lifelines", this::accept);
  }

  /** What a plan needs; null if all its ranks are on this host. */
  static Lifelines open(LaunchPlan plan, RunSecret secret) throws IOException {
    boolean remote = plan.placement().places().stream().anyMatch(Placement.Place::remote);
    return remote ? new Lifelines(plan.address(), plan.ranks(), secret) : null;
  }

  /** What {@link Lifeline} is told: host and port. */
  String place() {
    return server.getInetAddress().getHostAddress() + " " + server.getLocalPort();
  }

  /** Calls {@code listener} with every sign of life of {@code rank} from now on. */
  void listen(int rank, Runnable listener) {
    listeners.put(rank, listener);
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try (server) {
      while (true) {
        Socket socket = server.accept();
        if (keep(socket)) {
          start("lifeline", () -> serve(socket));
        }
      }
    } catch (IOException e) {
      // Closed by us.
    }
  }

  private synchronized boolean keep(Socket socket) throws IOException {
    if (closed) {
      socket.close();
      return false;
    }
    return sockets.add(socket);
  }

  private void serve(Socket socket) {
    boolean proven = false;
    try (socket) {
      socket.setSoTimeout(BROKEN_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      int rank = in.readInt();
      proven = RunSecret.isSame(secret.proofOfLifeline(rank), in.readUTF());
      if (proven) {
        answer(rank, in, out);
      }
    } catch (SocketTimeoutException e) {
      // The rank's silence is counted where its process is watched.
    } catch (IOException e) {
      // Broken: the rank connects again if it lives, or its process has ended.
    } finally {
      if (forget(socket) && !proven) {
        dropped.name(socket);
      }
    }
  }

  private void answer(int rank, DataInputStream in, DataOutputStream out) throws IOException {
    while (in.read() >= 0) {
      Runnable listener = listeners.get(rank);
      if (listener != null) {
        listener.run();
      }
      out.write(0);
    }
  }

  /** Whether the run had not ended before. */
  private synchronized boolean forget(Socket socket) {
    return sockets.remove(socket) && !closed;
  }

  @Override
  public void close() throws IOException {
    server.close();
    List<Socket> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(sockets);
    }
    for (Socket socket : open) {
      socket.close();
    }
  }
}
