package io.github.amb.runtime.net;

import io.github.amb.core.file.Closing;
import io.github.amb.core.file.Reading;
import io.github.amb.core.thread.Daemon;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Accepts connections and serves all of them on one thread, so that no peer can block the others. A
 * peer without proof is rejected when its time has passed, and the oldest ones when there are too
 * many. A rank that is rejected connects again.
 */
public final class Gate {
  /** Maximum number of pending connections: a small part of the files that a process may open. */
  private static final int MAX_PENDING = 256;

  private static final long LOOK_MILLIS = 50;

  private final RunSecret secret;
  private final Duration limit;
  private final BiConsumer<String, String> rejected;
  private final Selector selector;
  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final Map<Channel, Host> channels = new LinkedHashMap<>();
  private final List<Runnable> departures = new ArrayList<>();
  private boolean closed;
  private volatile Throwable failure;

  /** Whom those who connect to a port, or a file, want. Called by the gate's thread. */
  public interface Host {
    /** What its connections are for; the same at both ends. */
    String purpose();

    /** Whether such a process may connect. */
    boolean expects(Channel.Name name);

    /**
     * Takes a frame. The first one of a connection is the proof of its name.
     *
     * @param content not used by others
     * @return whether the gate is to go on reading; otherwise the host {@linkplain #takes takes}
     *     the connection
     * @throws IOException if the connection is to end
     */
    boolean heard(Channel channel, byte[] content) throws IOException;

    /**
     * Takes over a connection that is non-blocking and not registered with any selector.
     *
     * @throws IOException if the connection, or its new owner, has ended
     */
    default void takes(Channel channel) throws IOException {}

    /** A connection has ended that had proven its name. */
    default void ended(Channel channel) {}

    /** Called about twenty times a second, and whenever something has happened. */
    default void looks() {}
  }

  /**
   * Starts the thread.
   *
   * @param thread its name
   * @param limit how long a proof may take
   * @param rejected receives address, as host and port, and reason of each rejected connection
   */
  public Gate(
      String thread, RunSecret secret, Duration limit, BiConsumer<String, String> rejected) {
    this.secret = secret;
    this.limit = limit;
    this.rejected = rejected;
    selector = Reading.certain(Selector::open);
    Daemon.start(thread, this::serve, e -> failure = e);
  }

  /**
   * Accepts connections at a port or file from now on, and closes it in the end.
   *
   * @param server listens; made non-blocking
   */
  public synchronized void watch(ServerSocketChannel server, Host host) throws IOException {
    if (closed) {
      server.close();
      return;
    }
    servers.add(server);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT, host);
    selector.wakeup();
  }

  /** Makes the thread look after its hosts at once. */
  public void wake() {
    selector.wakeup();
  }

  /** Why the thread has ended; null while it runs. */
  public Throwable failure() {
    return failure;
  }

  /** Ends a connection, if it has not ended yet. */
  public synchronized void remove(Channel channel) {
    Host host = channels.remove(channel);
    channel.close();
    if (host != null && channel.isProven()) {
      host.ended(channel);
    }
  }

  /**
   * Stops to accept, and ends all connections.
   *
   * @return where those came from that had not proven their names, the first first
   */
  public synchronized List<String> close() {
    closed = true;
    List<String> pending =
        pending().stream().map(Channel::from).filter(from -> from != null).toList();
    List.copyOf(channels.keySet()).forEach(this::remove);
    servers.forEach(Closing::quietly);
    selector.wakeup();
    return pending;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void serve() {
    try (selector) {
      while (!isClosed()) {
        selector.select(this::attend, LOOK_MILLIS);
        look();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      close();
    }
  }

  private synchronized void attend(SelectionKey key) {
    if (key.attachment() instanceof Channel channel) {
      read(channel);
    } else {
      accept((ServerSocketChannel) key.channel(), (Host) key.attachment());
    }
  }

  private void accept(ServerSocketChannel server, Host host) {
    try {
      SocketChannel socket = server.accept();
      if (socket != null) {
        keepPending(MAX_PENDING - 1);
        channels.put(
            new Channel(socket, selector, secret, host.purpose(), host::expects, null), host);
      }
    } catch (IOException e) {
      // The peer has gone, or this process has too many open files: a pending one makes room.
      keepPending(pending().size() - 1);
    }
  }

  private List<Channel> pending() {
    return channels.keySet().stream().filter(channel -> !channel.isProven()).toList();
  }

  /** Rejects the oldest pending connections, so that a flood keeps no rank out. */
  private void keepPending(int most) {
    List<Channel> pending = pending();
    pending
        .subList(0, Math.max(0, pending.size() - Math.max(0, most)))
        .forEach(channel -> reject(channel, channel.said() + " while many others connected"));
  }

  private void read(Channel channel) {
    Host host = channels.get(channel);
    try {
      byte[] content = host == null ? null : channel.read();
      while (content != null) {
        if (!host.heard(channel, content)) {
          channels.remove(channel);
          channel.leave();
          departures.add(() -> depart(channel, host));
          return;
        }
        content = channel.read();
      }
      channel.write();
    } catch (MalformedFrameException e) {
      reject(channel, e.getMessage());
    } catch (IOException | CancelledKeyException e) {
      ended(channel);
    }
  }

  private static void depart(Channel channel, Host host) {
    try {
      host.takes(channel);
    } catch (IOException | RuntimeException e) {
      channel.close(); // It, or what it is for, has ended.
    }
  }

  /** A connection without proof counts as rejected, unless a known name had been claimed. */
  private void ended(Channel channel) {
    if (channel.name() == null) {
      reject(channel, channel.said());
    } else {
      remove(channel);
    }
  }

  private void reject(Channel channel, String why) {
    String from = channel.from();
    remove(channel);
    if (!closed && from != null) {
      rejected.accept(from, why);
    }
  }

  private synchronized void look() throws IOException {
    if (!departures.isEmpty()) {
      // Forgets the cancelled keys; only then can the connections be made blocking.
      selector.selectNow(key -> {});
      departures.forEach(Runnable::run);
      departures.clear();
    }
    for (Channel channel : pending()) {
      if (channel.age() > limit.toNanos()) {
        reject(channel, "%s within %s s".formatted(channel.said(), limit.toMillis() / 1e3));
      }
    }
    List.copyOf(channels.values()).stream().distinct().forEach(Host::looks);
  }
}
