package io.github.amb.runtime.control;

import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
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
 * The launcher's ends of the connections with its ranks. One thread serves all, so that whoever is
 * silent, slow or lying keeps nobody from being heard.
 */
public final class ControlServer implements AutoCloseable {
  /** Connections that may wait to prove themselves; of more, the oldest is dropped. */
  private static final int MOST_GREETINGS = 256;

  private static final long LOOK_MILLIS = 50;
  private static final int BACKLOG = 1024;

  private final RunSecret secret;
  private final ControlTimes times;
  private final RejectedConnections strangers;
  private final Selector selector = Selector.open();
  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final Map<LauncherEnd.Name, ControlLine> lines = new ConcurrentHashMap<>();
  private final List<LauncherEnd> ends = new ArrayList<>();
  private String here;
  private String network;
  private long beaten = System.nanoTime();
  private volatile boolean closed;
  private volatile Throwable failure;

  /**
   * Listens.
   *
   * @param address for ranks on other hosts, and for those here if {@code files} is not set, or
   *     files cannot be connected to
   * @param remote whether there are ranks on other hosts
   * @param files whether ranks here connect to a file rather than to a port
   */
  public ControlServer(
      InetAddress address,
      boolean remote,
      boolean files,
      RunSecret secret,
      ControlTimes times,
      RejectedConnections strangers)
      throws IOException {
    this.secret = secret;
    this.times = times;
    this.strangers = strangers;
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

  /** A file is out of reach of other users, and needs no network; null where there can be none. */
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
   * @param remote whether it is on another host
   */
  public String place(boolean remote) {
    return remote ? network : here;
  }

  /**
   * Expects a process from now on.
   *
   * @param rank its lasting number
   * @param start how often it was started before
   */
  public ControlLine expect(int rank, int start, ControlLine.Listener listener) {
    ControlLine line = new ControlLine(rank, start, listener, selector::wakeup);
    lines.put(new LauncherEnd.Name(rank, start), line);
    return line;
  }

  /** A process has ended: nobody is to speak for it any more. */
  public void forget(ControlLine line) {
    lines.remove(new LauncherEnd.Name(line.rank, line.start), line);
  }

  /** Why no rank is heard any more; null if all are. */
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
      ends.forEach(LauncherEnd::close);
      servers.forEach(ControlServer::close);
    }
  }

  private void handle(SelectionKey key) {
    if (key.attachment() instanceof LauncherEnd end) {
      read(end);
    } else {
      accept((ServerSocketChannel) key.channel());
    }
  }

  private void accept(ServerSocketChannel server) {
    try {
      SocketChannel channel = server.accept();
      if (channel != null) {
        channel.configureBlocking(false);
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
          channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        LauncherEnd end = new LauncherEnd(channel, secret, lines::get);
        end.register(channel.register(selector, SelectionKey.OP_READ, end));
        ends.add(end);
        end.write();
      }
      keepWaiting(MOST_GREETINGS);
    } catch (IOException e) {
      // It has gone, or this process has too many files: those that only wait make room.
      keepWaiting(0);
    }
  }

  /** Drops those that have waited longest, so that a flood keeps no rank out. */
  private void keepWaiting(int most) {
    List<LauncherEnd> waiting = ends.stream().filter(end -> end.line() == null).toList();
    int more = Math.max(0, waiting.size() - most);
    waiting.subList(0, more).forEach(end -> drop(end, end.said() + " while many others connected"));
  }

  private void read(LauncherEnd end) {
    boolean known = end.line() != null;
    try {
      end.read();
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

  /** A rank connects again because the connection before is broken, whether we see that or not. */
  private void replaceOlder(LauncherEnd newer) {
    List<LauncherEnd> older =
        ends.stream().filter(end -> end != newer && end.line() == newer.line()).toList();
    older.forEach(this::remove);
  }

  /** Ends; something that has proved to be a rank, or gives up on its own, is no stranger. */
  private void ended(LauncherEnd end) {
    if (end.line() == null && !end.claimsToBeExpected()) {
      drop(end, end.said());
    } else {
      remove(end);
    }
  }

  private void drop(LauncherEnd end, String why) {
    remove(end);
    if (!closed && end.from() != null) {
      strangers.add(end.from(), why);
    }
  }

  private void remove(LauncherEnd end) {
    ends.remove(end);
    end.close();
  }

  /** What follows from time, and from others' threads. */
  private void look() {
    for (LauncherEnd end : List.copyOf(ends)) {
      if (end.line() == null && end.age() > times.greeting().toNanos()) {
        drop(end, end.said() + " within " + times.greeting().toMillis() / 1e3 + " s");
      }
    }
    boolean beat = System.nanoTime() - beaten > times.heartbeat().toNanos();
    if (beat) {
      beaten = System.nanoTime();
    }
    for (LauncherEnd end : List.copyOf(ends)) {
      say(end, beat);
    }
  }

  private void say(LauncherEnd end, boolean beat) {
    try {
      if (beat) {
        end.beat();
      }
      end.write();
    } catch (IOException | CancelledKeyException e) {
      ended(end);
    }
  }

  private static void close(ServerSocketChannel server) {
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
