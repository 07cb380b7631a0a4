package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.RankPorts;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replaces {@link InetSocketAddress} in niodev. niodev would listen on every address of this host;
 * with this class it listens only on the address that the other ranks know.
 */
public final class BoundAddress extends InetSocketAddress {
  /**
   * Attempts before this rank gives up. niodev tries random ones of 15,001 ports until one is free,
   * more often than necessary.
   */
  private static final int MAX_PORTS = 100_000;

  private static final AtomicInteger ports = new AtomicInteger();

  private static volatile boolean rejected;
  private static volatile InetAddress own = new InetSocketAddress(0).getAddress();

  /**
   * The address to listen on.
   *
   * @param port port that niodev has chosen
   * @throws JoinError after too many attempts; niodev catches everything else
   */
  public BoundAddress(int port) {
    super(own, port);
    if (ports.incrementAndGet() > MAX_PORTS) {
      throw new JoinError(RankPorts.noneFree(own));
    }
  }

  /** The address to connect to; niodev tries again until it succeeds. */
  public BoundAddress(String host, int port) {
    super(host, port);
    if (rejected) {
      throw new IllegalStateException("this generation has ended");
    }
  }

  /** This rank cannot join, whatever it tries. */
  static final class JoinError extends Error {
    JoinError(String message) {
      super(message);
    }
  }

  /** Rejects further addresses to connect to, as the generation has ended. */
  static void reject() {
    rejected = true;
  }

  /**
   * Chooses the address that {@link MpjEngine#ADDRESS_PROPERTY} names, or else the one from which
   * this host reaches another; sends nothing.
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
