package io.github.amb.runtime.control;

import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The launcher's ends of the connections to its ranks. One thread serves all, so that no peer can
 * block the others.
 */
public final class ControlServer implements AutoCloseable {
  /** Maximum number of pending connections; the oldest ones beyond it are rejected. */
  private static final int MAX_GREETINGS = 256;

  private static final long LOOK_MILLIS = 50;
  private static final int BACKLOG = 1024;

  private final RunSecret secret;
  private final ControlTimes times;
  private final RejectedConnections rejected;
  private final Selector selector = Selector.open();
  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final Map<ControlEnd.Name, ControlLine> lines = new ConcurrentHashMap<>();
  private final List<ControlEnd> ends = new ArrayList<>();
  private String here;
  private String network;
  private long beaten = System.nanoTime();
  private volatile boolean closed;
  private volatile Throwable failure;

  /**
   * Starts to listen.
   *
   * @param address for ranks on other hosts, and for ranks here if {@code files} is false or files
   *     do not work
   * @param remote whether there are ranks on other hosts
   * @param files whether ranks here connect to a file instead of a port
   */
  public ControlServer(
      InetAddress address,
      boolean remote,
      boolean files,
      RunSecret secret,
      ControlTimes times,
      RejectedConnections rejected)
      throws IOException {
    this.secret = secret;
    this.times = times;
    this.rejected = rejected;
    if (files) {
      here = listenHere();
    }
    if (remote || here == null) {
      network = listen(ControlPlace.listen(address, BACKLOG));
    }
    if (here == null) {
      here = network;
    }
    Daemon.start("control", this::serve, e -> failure = e);
  }

  /**
   * Listens at a file, which other users cannot access and which needs no network; null if that
   * does not work.
   */
  private String listenHere() {
    try {
      return listen(ControlPlace.listenHere(BACKLOG));
    } catch (IOException e) {
      return null;
    }
  }

  private String listen(ServerSocketChannel server) throws IOException {
    servers.add(server);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
    return ControlPlace.text(server.getLocalAddress());
  }

  /**
   * Where a rank connects, in one word.
   *
   * @param remote whether the rank runs on another host
   */
  public String place(boolean remote) {
    return remote ? network : here;
  }

  /**
   * Expects a process from now on.
   *
   * @param rank its number in the run
   * @param start how often the rank was started before
   * @param listener receives its records
   * @return the process' line
   */
  public ControlLine expect(int rank, int start, ControlLine.Listener listener) {
    ControlLine line = new ControlLine(rank, start, listener, selector::wakeup);
    lines.put(new ControlEnd.Name(rank, start), line);
    return line;
  }

  /** Forgets a process that has ended; connections in its name are rejected. */
  public void forget(ControlLine line) {
    lines.remove(new ControlEnd.Name(line.rank, line.start), line);
  }

  /** Why the server's thread has ended; null while it runs. */
  public Throwable failure() {
    return failure;
  }

  private void serve() {
    try (selector) {
      while (!closed) {
        selector.select(this::handle, LOOK_MILLIS);
        look();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      ends.forEach(ControlEnd::close);
      servers.forEach(ControlServer::close);
    }
  }

  private void handle(SelectionKey key) {
    if (key.attachment() instanceof ControlEnd end) {
      read(end);
    } else {
      accept((ServerSocketChannel) key.channel());
    }
  }

  private void accept(ServerSocketChannel server) {
    try {
      SocketChannel channel = server.accept();
      if (channel != null) {
        ControlEnd end = ControlEnd.ofLauncher(channel, selector, secret, lines::get);
        ends.add(end);
        end.write();
      }
      keepWaiting(MAX_GREETINGS);
    } catch (IOException e) {
      // The peer has gone, or this process has too many open files: pending connections make room.
      keepWaiting(0);
    }
  }

  /** Rejects the oldest pending connections, so that a flood keeps no rank out. */
  private void keepWaiting(int most) {
    List<ControlEnd> waiting = ends.stream().filter(end -> end.line() == null).toList();
    int more = Math.max(0, waiting.size() - most);
    waiting.subList(0, more).forEach(end -> drop(end, end.said() + " while many others connected"));
  }

  private void read(ControlEnd end) {
    boolean known = end.line() != null;
    try {
      end.take();
      if (!known && end.line() != null) {
        replaceOlder(end);
      }
      end.write();
    } catch (MalformedRecordException e) {
      drop(end, e.getMessage());
    } catch (IOException | CancelledKeyException e) {
      ended(end);
    }
  }

  /** Ends the older connection of a rank that connects again, even if it seems intact. */
  private void replaceOlder(ControlEnd newer) {
    List<ControlEnd> older =
        ends.stream().filter(end -> end != newer && end.line() == newer.line()).toList();
    older.forEach(this::remove);
  }

  /**
   * Handles the end of a connection. One without proof counts as rejected, unless it ended on its
   * own.
   */
  private void ended(ControlEnd end) {
    if (end.line() == null && !end.claimsToBeExpected()) {
      drop(end, end.said());
    } else {
      remove(end);
    }
  }

  private void drop(ControlEnd end, String why) {
    remove(end);
    if (!closed && end.from() != null) {
      rejected.add(end.from(), why);
    }
  }

  private void remove(ControlEnd end) {
    ends.remove(end);
    end.close();
  }

  /** Handles what follows from the passing of time and from other threads. */
  private void look() {
    for (ControlEnd end : List.copyOf(ends)) {
      if (end.line() == null && end.age() > times.greeting().toNanos()) {
        drop(end, end.said() + " within " + times.greeting().toMillis() / 1e3 + " s");
      }
    }
    boolean beat = System.nanoTime() - beaten > times.heartbeat().toNanos();
    if (beat) {
      beaten = System.nanoTime();
    }
    for (ControlEnd end : List.copyOf(ends)) {
      say(end, beat);
    }
  }

  private void say(ControlEnd end, boolean beat) {
    try {
      if (beat) {
        end.beat();
      }
      end.write();
    } catch (IOException | CancelledKeyException e) {
      ended(end);
    }
  }

  /** One thread at a time: when it returns, the file is gone. */
  private static synchronized void close(ServerSocketChannel server) {
    try {
      var address = server.getLocalAddress();
      server.close();
      ControlPlace.remove(address);
    } catch (IOException e) {
      // It was closed already.
    }
  }

  /** Ends all connections. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    servers.forEach(ControlServer::close);
  }
}
