package io.github.amb.runtime.mpj.express;

import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.Gate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import mpjdev.javampjdev.MPJDev;

/**
 * Establishes niodev's connections, in place of two calls of niodev. Both ranks first prove that
 * they know the run's secret and mean this connection ({@link Channel}); only then niodev receives
 * the connection. niodev alone would accept any connection as a rank's and trust its content.
 */
public final class AuthenticatedConnections {
  private static final long PAUSE_MILLIS = 20;
  private static final int MAX_NAMED = 1000;
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** Longer than the other rank waits before it rejects this one, so that both agree. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final RunSecret SECRET = RunSecret.own();
  private static final Map<PeerTable.Way, byte[]> KEYS = new ConcurrentHashMap<>();
  private static final List<String> REJECTED = Collections.synchronizedList(new ArrayList<>());
  private static final Gate GATE =
      new Gate("mpj-gate", SECRET, LIMIT, (from, why) -> reject(List.of(from)));

  private static volatile Channel.Name own;
  private static volatile int ranks;

  private AuthenticatedConnections() {}

  /**
   * Call before niodev begins.
   *
   * @param generation number of the generation that is to be formed
   * @param rank rank of this process in it
   * @param size number of its ranks
   */
  static void open(int generation, int rank, int size) {
    own = new Channel.Name(rank, generation, Boolean.getBoolean(MpjEngine.ENCRYPT_PROPERTY));
    ranks = size;
  }

  private static String purpose(int rank) {
    return "link to rank " + rank;
  }

  /**
   * Replaces {@link SocketChannel#connect} for a channel in blocking mode; returns when both ranks
   * have proven who they are. After an {@link IOException} niodev tries again with another channel,
   * at once and without end.
   */
  public static boolean connect(SocketChannel channel, SocketAddress address) throws IOException {
    InetSocketAddress place = (InetSocketAddress) address;
    try {
      PeerTable.Way to =
          PeerTable.wayTo((String) DeviceChannels.value(MPJDev.dev, "WRAPPER_INFO"), place);
      boolean connected = channel.connect(address);
      keep(to, Channel.prove(channel, SECRET, purpose(to.rank()), own, PATIENCE));
      return connected;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (Channel.OtherChoiceException e) {
      throw new BoundAddress.JoinError(e.getMessage());
    } catch (IOException e) {
      channel.close();
      // An interrupt ends the next attempt.
      Waits.run(() -> TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS));
      throw e;
    }
  }

  /**
   * Replaces {@link ServerSocketChannel#register}. Connections to {@code server} are authenticated
   * here, not by niodev's selector, which begins only when this rank has connected to others.
   *
   * @return null, which niodev ignores
   */
  public static SelectionKey register(ServerSocketChannel server, Selector selector, int operations)
      throws IOException {
    DeviceConnections connections = DeviceConnections.of(MPJDev.dev, server);
    Sink sink =
        channel -> {
          keep(new PeerTable.Way(channel.name().rank(), connections.blocking()), channel);
          connections.admit(channel.socket());
        };
    GATE.watch(server, new Ranks(own, ranks, sink));
    return null;
  }

  private static void keep(PeerTable.Way way, Channel channel) {
    int sender = way.outgoing() ? own.rank() : way.rank();
    KEYS.put(way, channel.key("messages of rank " + sender));
  }

  /**
   * The key of the messages to or from a rank.
   *
   * @return 32 bytes; null if this rank does not encrypt
   */
  static byte[] key(int rank, boolean outgoing) {
    PeerTable.Way way = new PeerTable.Way(rank, outgoing);
    return own.encrypts() ? Objects.requireNonNull(KEYS.get(way), "a key") : null;
  }

  /**
   * Rejects all pending connections, as no further rank is expected.
   *
   * @return all rejected ones, as {@code host:port}
   */
  static List<String> close() {
    reject(GATE.close());
    synchronized (REJECTED) {
      return List.copyOf(REJECTED);
    }
  }

  private static void reject(List<String> addresses) {
    synchronized (REJECTED) {
      addresses.stream().limit(MAX_NAMED - REJECTED.size()).forEach(REJECTED::add);
    }
  }

  /** Receives the connections of proven ranks. */
  interface Sink {
    /**
     * Takes over a connection that is non-blocking and not registered with any selector.
     *
     * @throws IOException if the connection, or its new owner, has ended
     */
    void admit(Channel channel) throws IOException;
  }

  /**
   * The higher ranks of a generation, which connect to this one.
   *
   * @param own this rank, and the generation
   * @param ranks number of ranks
   */
  record Ranks(Channel.Name own, int ranks, Sink sink) implements Gate.Host {
    @Override
    public String purpose() {
      return AuthenticatedConnections.purpose(own.rank());
    }

    @Override
    public boolean expects(Channel.Name name) {
      return name.attempt() == own.attempt()
          && name.encrypts() == own.encrypts()
          && name.rank() > own.rank()
          && name.rank() < ranks;
    }

    @Override
    public boolean heard(Channel channel, byte[] content) {
      return false;
    }

    @Override
    public void takes(Channel channel) throws IOException {
      channel.send(new byte[0]);
      channel.write();
      if (channel.pending() > 0) {
        throw new IOException("expected to send a proof, found the connection's buffer full");
      }
      sink.admit(channel);
    }
  }
}
