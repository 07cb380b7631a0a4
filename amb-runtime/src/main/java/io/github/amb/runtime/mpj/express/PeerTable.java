package io.github.amb.runtime.mpj.express;

import java.net.InetSocketAddress;

/**
 * Reads the addresses on which the ranks of a generation accept connections, from niodev's table: a
 * title, then {@code ;host@readPort@writePort@rank@…} for each.
 */
final class PeerTable {
  private PeerTable() {}

  /**
   * The rank that accepts at an address.
   *
   * @param table niodev's table
   * @param place its host as in {@code table}
   * @throws IllegalStateException if no rank does
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
