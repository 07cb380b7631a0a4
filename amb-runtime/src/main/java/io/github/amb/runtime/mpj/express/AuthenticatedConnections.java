package io.github.amb.runtime.mpj.express;

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
 * How niodev's connections come about, in place of its own two calls. Both ranks prove first that
 * they know the run's secret and mean this connection ({@link Challenge}); only then niodev gets
 * it. niodev takes whoever connects for a rank, and believes whatever it says.
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
   * @param generation of the world that is to be formed
   * @param rank of this process in it
   * @param ranks how many it has
   */
  static void open(int generation, int rank, int ranks) {
    own = new Challenge.Rank(RunSecret.own(), generation, rank, ranks);
    KEEPER.open(own);
  }

  /**
   * As {@link SocketChannel#connect}, of a channel in blocking mode; returns when both ranks have
   * proved who they are. niodev tries again with another channel after an {@link IOException}, at
   * once and for ever.
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
      pause();
      throw e;
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Ends the next attempt.
    }
  }

  /**
   * In place of {@link ServerSocketChannel#register}: whoever connects to {@code server} is heard
   * here, and not by niodev's selector, which begins only when this rank has connected to others.
   *
   * @return null, which niodev does not look at
   */
  public static SelectionKey register(ServerSocketChannel server, Selector selector, int operations)
      throws IOException {
    KEEPER.watch(server, DeviceConnections.of(MPJDev.dev, server));
    return null;
  }

  /**
   * No rank is to come any more: drops whoever has not proved to be one.
   *
   * @return all that were dropped, as {@code host:port}
   */
  static List<String> close() {
    return KEEPER.close();
  }
}
