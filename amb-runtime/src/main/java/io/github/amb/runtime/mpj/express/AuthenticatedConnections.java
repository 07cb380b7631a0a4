package io.github.amb.runtime.mpj.express;

import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mpjdev.javampjdev.MPJDev;

/**
 * Establishes niodev's connections, in place of two calls of niodev. Both ranks first prove that
 * they know the run's secret and mean this connection ({@link Challenge}); only then niodev
 * receives the connection. niodev alone would accept any connection as a rank's and trust its
 * content.
 */
public final class AuthenticatedConnections {
  private static final long PAUSE_MILLIS = 20;
  private static final ConnectionAuthenticator KEEPER =
      new ConnectionAuthenticator(System::nanoTime);

  private static volatile Challenge.Rank own;

  private AuthenticatedConnections() {}

  /**
   * Call before niodev begins.
   *
   * @param generation number of the generation that is to be formed
   * @param rank rank of this process in it
   * @param ranks number of its ranks
   */
  static void open(int generation, int rank, int ranks) {
    own = new Challenge.Rank(RunSecret.own(), generation, rank, ranks);
    KEEPER.open(own);
  }

  /**
   * Replaces {@link SocketChannel#connect} for a channel in blocking mode; returns when both ranks
   * have proven who they are. After an {@link IOException} niodev tries again with another channel,
   * at once and without end.
   */
  public static boolean connect(SocketChannel channel, SocketAddress address) throws IOException {
    InetSocketAddress place = (InetSocketAddress) address;
    try {
      int to = PeerTable.rankAt((String) DeviceChannels.value(MPJDev.dev, "WRAPPER_INFO"), place);
      boolean connected = channel.connect(address);
      ConnectionRequest.at(
          channel, own.secret(), new ConnectionSide(own.generation(), own.rank(), to, place));
      return connected;
    } catch (ClosedChannelException e) {
      throw e;
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
    KEEPER.watch(server, DeviceConnections.of(MPJDev.dev, server));
    return null;
  }

  /**
   * Rejects all pending connections, as no further rank is expected.
   *
   * @return all rejected ones, as {@code host:port}
   */
  static List<String> close() {
    return KEEPER.close();
  }
}
