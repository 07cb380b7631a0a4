package io.github.amb.runtime.mpj.express;

import java.net.InetSocketAddress;

/**
 * Where the ranks of a world accept, as niodev was told when they met: after a title, for each
 * {@code ;host@readPort@writePort@rank@…}.
 */
final class PeerTable {
  private PeerTable() {}

  /**
   * The rank that accepts at a place.
   *
   * @param place its host as in {@code table}
   * @throws IllegalStateException if none does
   */
  static int rankAt(String table, InetSocketAddress place) {
    String port = Integer.toString(place.getPort());
    for (String entry : table.split(";")) {
      String[] words = entry.split("@");
      if (words.length > 3
          && words[0].equals(place.getHostString())
          && (words[1].equals(port) || words[2].equals(port))) {
        return Integer.parseInt(words[3]);
      }
    }
    throw new IllegalStateException("expected a rank at " + place + " in the ports of all ranks");
  }
}
