package io.github.amb.runtime.lock;

import io.github.amb.core.thread.Daemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A port that is open as long as a process of a run lives. A program on another machine that waits
 * for the run keeps a connection to it, and so sees the end of the process at once. A file beside
 * the lock has the address. Nothing is sent.
 */
final class Door implements AutoCloseable {
  private static final int GUESTS = 16;
  private static final int CONNECT_MILLIS = 500;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** The processes that may write to a run. */
  enum Owner {
    LAUNCHER,
    MASTER;

    /** The file with the address, beside that of a lock. */
    Path file(Path lock) {
      return lock.resolveSibling(lock.getFileName() + "." + name().toLowerCase(Locale.ROOT));
    }
  }

  /** The name of the lock's file, of the file with the address of one of its doors or its own. */
  static String lock(String file) {
    return file.replaceFirst("\\.(launcher|master)$", "");
  }

  private final ServerSocket socket;
  private final Path file;
  private final List<Socket> guests = new LinkedList<>();

  /**
   * Opens a door.
   *
   * @param lock the lock's file
   * @param address of this process, which other hosts reach
   */
  Door(Path lock, Owner owner, InetAddress address) throws IOException {
    socket = new ServerSocket(0, GUESTS, address);
    file = owner.file(lock);
    Daemon.start("run-door", this::receive);
    String where = address.getHostAddress() + " " + socket.getLocalPort() + "\n";
    Files.writeString(file, where);
  }

  /** Keeps the newest guests. */
  private void receive() {
    while (!socket.isClosed()) {
      try {
        Socket guest = socket.accept();
        synchronized (guests) {
          guests.add(guest);
          if (guests.size() > GUESTS) {
            close(guests.remove(0));
          }
        }
      } catch (IOException e) {
        // The guest is gone, or the door is closed.
      }
    }
    dismiss();
  }

  /** How many keep a connection. */
  int guests() {
    synchronized (guests) {
      return guests.size();
    }
  }

  /** Closes all connections. */
  void dismiss() {
    synchronized (guests) {
      guests.forEach(Door::close);
      guests.clear();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    Files.deleteIfExists(file);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  /** Looks from another machine whether the processes of a lock have ended. */
  static final class Watch implements AutoCloseable {
    private final Path lock;
    private final Map<Owner, Socket> connections = new EnumMap<>(Owner.class);
    private final Consumer<String> notes;
    private long tried = System.nanoTime() - AGAIN.toNanos();

    /**
     * @param notes receives a line when both are connected
     */
    Watch(Path lock, Consumer<String> notes) {
      this.lock = lock;
      this.notes = notes;
    }

    boolean isOf(Path other) {
      return lock.equals(other);
    }

    /**
     * Whether the launcher and the master have both ended, for sure: each door was open before, and
     * its connection and a further attempt have failed.
     */
    boolean sawTheEnd() {
      if (connections.size() < Owner.values().length) {
        if (System.nanoTime() - tried >= AGAIN.toNanos()) {
          for (Owner owner : Owner.values()) {
            connections.computeIfAbsent(owner, this::connect);
          }
          tried = System.nanoTime();
          if (connections.size() == Owner.values().length) {
            notes.accept("connected to its launcher and master, and will see their end");
          }
        }
        return false;
      }
      boolean ended = true;
      for (Map.Entry<Owner, Socket> one : connections.entrySet()) {
        if (isOpen(one.getValue())) {
          ended = false;
        } else {
          Socket again = connect(one.getKey());
          if (again != null) {
            Door.close(one.setValue(again));
            ended = false;
          }
        }
      }
      return ended;
    }

    /** A connection; null if there is none. */
    private Socket connect(Owner owner) {
      Socket socket = new Socket();
      try {
        String[] where = Files.readString(owner.file(lock)).strip().split(" ");
        int port = Integer.parseInt(where[where.length - 1]);
        socket.connect(new InetSocketAddress(where[0], port), CONNECT_MILLIS);
        socket.setSoTimeout(1);
        return socket;
      } catch (IOException | IllegalArgumentException e) {
        return null; // There is no door, or not yet; or nobody opens.
      }
    }

    @Override
    public void close() {
      connections.values().forEach(Door::close);
    }

    private static boolean isOpen(Socket socket) {
      try {
        return socket.getInputStream().read() >= 0;
      } catch (SocketTimeoutException e) {
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
