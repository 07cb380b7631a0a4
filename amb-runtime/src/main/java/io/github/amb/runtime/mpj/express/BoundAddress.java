package io.github.amb.runtime.mpj.express;

import io.github.amb.runtime.mpj.MpjEngine;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

/**
 * What niodev gets in place of {@link InetSocketAddress}: where it would listen on every address of
 * this host, it listens on one alone, which the others are told.
 */
public final class BoundAddress extends InetSocketAddress {
  private static final long serialVersionUID = 1L;

  private static volatile boolean refused;
  private static volatile InetAddress own = new InetSocketAddress(0).getAddress();

  /** Where to listen. */
  public BoundAddress(int port) {
    super(own, port);
  }

  /** Where to connect, which niodev tries again and again until it succeeds. */
  public BoundAddress(String host, int port) {
    super(host, port);
    if (refused) {
      throw new IllegalStateException("this world is left");
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
      throw new IllegalStateException("no way from this host to " + other + ": " + e, e);
    }
  }
}
