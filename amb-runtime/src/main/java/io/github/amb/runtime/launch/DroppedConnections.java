package io.github.amb.runtime.launch;

import java.net.Socket;
import java.util.Locale;

/** Names the first few connections to the launcher that turned out to be no rank's. */
final class DroppedConnections {
  private static final int MOST_NAMED = 5;

  private final String place;
  private int count;

  /**
   * @param place to which they came
   */
  DroppedConnections(String place) {
    this.place = place;
  }

  /** Names one, unless there were many before. */
  synchronized void name(Socket socket) {
    if (++count <= MOST_NAMED) {
      System.err.printf(
          Locale.ROOT,
          "amb: %s:%d connected to %s, and is no rank of this run: dropped%n",
          socket.getInetAddress().getHostAddress(),
          socket.getPort(),
          place);
    }
  }
}
