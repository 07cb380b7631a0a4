package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.RankPorts;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What niodev gets in place of {@link InetSocketAddress}: where it would listen on every address of
 * this host, it listens on one alone, which the others are told.
 */
public final class BoundAddress extends InetSocketAddress {
  private static final long serialVersionUID = 1L;

  /** niodev tries random ones of 15,001 ports until one is free: more often than it would need. */
  private static final int MOST_PORTS = 100_000;

  private static final AtomicInteger ports = new AtomicInteger();

  private static volatile boolean refused;
  private static volatile InetAddress own = new InetSocketAddress(0).getAddress();

  /**
   * Where to listen.
   *
   * @throws NoPortError if too many ports could not be had; niodev lets nothing else through
   */
  public BoundAddress(int port) {
    super(own, port);
    if (ports.incrementAndGet() > MOST_PORTS) {
      throw new NoPortError(own);
    }
  }

  /** Where to connect, which niodev tries again and again until it succeeds. */
  public BoundAddress(String host, int port) {
    super(host, port);
    if (refused) {
      throw new IllegalStateException("this generation has ended");
    }
  }

  /** This rank can listen nowhere. */
  static final class NoPortError extends Error {
    private static final long serialVersionUID = 1L;

    NoPortError(InetAddress address) {
      super(RankPorts.noneFree(address));
    }
  }

  /** Gives no address any more to connect to. */
  static void refuse() {
    refused = true;
  }

  /**
   * Chooses the address that {@link MpjEngine#ADDRESS_PROPERTY} names, else the one on which this
   * host reaches another; sends nothing.
   */
  static void chooseToReach(InetSocketAddress other) {
    String named = System.getProperty(MpjEngine.ADDRESS_PROPERTY);
    if (named != null) {
      own = new InetSocketAddress(named, 0).getAddress();
      return;
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(other);
      own = socket.getLocalAddress();
    } catch (SocketException e) {
      throw new IllegalStateException("no route from this host to " + other + ": " + e, e);
    }
  }
}
