package io.github.amb.runtime.mpj.express;

import io.github.amb.core.thread.Daemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Accepts connections on a thread of its own and authenticates them side by side, until no rank is
 * missing. A peer without proof is rejected when its time has passed, and the oldest ones when
 * there are too many. A rejected rank connects again.
 */
final class ConnectionAuthenticator {
  /** Nanoseconds from a connection to its rejection, unless it is a rank's by then. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Maximum number of pending connections: a small part of the files that a process may open. */
  static final int MAX_WAITING = 256;

  /** Milliseconds between two checks for late peers. */
  private static final long LOOK_MILLIS = 200;

  private static final int MAX_NAMED = 1000;

  private final LongSupplier clock;
  private final Selector selector;
  private final Set<ServerSocketChannel> servers = new LinkedHashSet<>();
  private final Set<PendingConnection> waiting = new LinkedHashSet<>();
  private final List<String> rejected = new ArrayList<>();
  private Challenge.Rank own;
  private boolean closed;

  /**
   * @param clock the current time in nanoseconds
   */
  ConnectionAuthenticator(LongSupplier clock) {
    this.clock = clock;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Daemon.start("mpj-gate", this::keep);
  }

  /** Accepts connections for {@code rank} from now on. */
  synchronized void open(Challenge.Rank rank) {
    own = rank;
  }

  /**
   * Accepts connections at a port, once this object is {@linkplain #open open}; closes the port in
   * the end.
   *
   * @param server listens, non-blocking
   * @param entrance receives the ranks that connect there
   * @throws IOException if the port cannot be watched
   */
  synchronized void watch(ServerSocketChannel server, ConnectionSink entrance) throws IOException {
    if (closed) {
      server.close();
      return;
    }
    servers.add(server);
    server.register(selector, SelectionKey.OP_ACCEPT, entrance);
    selector.wakeup();
  }

  /**
   * Stops to accept; rejects all pending connections.
   *
   * @return all rejected ones, the first first
   */
  synchronized List<String> close() {
    closed = true;
    List.copyOf(waiting).forEach(this::drop);
    servers.forEach(DeviceChannels::closeOne);
    selector.wakeup();
    return List.copyOf(rejected);
  }

  private void keep() {
    List<PendingConnection> heard = new ArrayList<>();
    try (selector) {
      while (!isClosed()) {
        selector.select(key -> attend(key, heard), LOOK_MILLIS);
        decide(heard);
        heard.clear();
      }
    } catch (IOException e) {
      close();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void attend(SelectionKey key, List<PendingConnection> heard) {
    if (key.attachment() instanceof PendingConnection pending) {
      if (!pending.read()) {
        key.cancel();
        heard.add(pending);
      }
    } else {
      accept(key);
    }
  }

  private synchronized void accept(SelectionKey key) {
    try {
      SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
      if (channel != null) {
        take(channel, (ConnectionSink) key.attachment());
      }
    } catch (ClosedChannelException e) {
      key.cancel();
    } catch (IOException e) {
      // Too many open files: a pending connection may be of no rank.
      waiting.stream().findFirst().ifPresent(this::drop);
    }
  }

  private void take(SocketChannel channel, ConnectionSink entrance) throws IOException {
    if (closed) {
      channel.close();
      return;
    }
    if (waiting.size() >= MAX_WAITING) {
      drop(waiting.iterator().next());
    }
    PendingConnection pending;
    try {
      pending = new PendingConnection(channel, entrance, own, clock.getAsLong() + PATIENCE_NANOS);
    } catch (IOException e) {
      channel.close(); // It has ended already.
      return;
    }
    waiting.add(pending);
    pending.register(selector);
  }

  private synchronized void decide(List<PendingConnection> heard) throws IOException {
    // Removes the cancelled keys; only then can the channels be made blocking.
    selector.selectNow(key -> {});
    for (PendingConnection pending : heard) {
      if (!pending.isProven()) {
        drop(pending);
      } else if (waiting.contains(pending)) {
        admit(pending);
      }
    }
    long now = clock.getAsLong();
    List.copyOf(waiting).stream().filter(one -> one.isLate(now)).forEach(this::drop);
  }

  private void admit(PendingConnection pending) {
    try {
      pending.admit();
      waiting.remove(pending);
    } catch (IOException | RuntimeException e) {
      // The connection, or niodev, has ended.
      drop(pending);
    }
  }

  private void drop(PendingConnection pending) {
    if (waiting.remove(pending)) {
      String from = pending.drop();
      if (rejected.size() < MAX_NAMED) {
        rejected.add(from);
      }
    }
  }
}
