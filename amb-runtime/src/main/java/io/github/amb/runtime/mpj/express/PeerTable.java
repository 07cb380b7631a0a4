package io.github.amb.runtime.mpj.express;

import java.net.InetSocketAddress;

/**
 * Reads the addresses on which the ranks of a generation accept connections, from niodev's table: a
 * title, then {@code ;host@readPort@writePort@rank@…} for each.
 */
final class PeerTable {
  private PeerTable() {}

  /**
   * A connection between this rank and another, which carries messages one way.
   *
   * @param rank the other one
   * @param outgoing whether this rank sends
   */
  record Way(int rank, boolean outgoing) {}

  /**
   * The rank that accepts at an address, and whether it reads there.
   *
   * @param table niodev's table
   * @param place its host as in {@code table}
   * @throws IllegalStateException if no rank does
   */
  static Way wayTo(String table, InetSocketAddress place) {
    String port = Integer.toString(place.getPort());
    for (String entry : table.split(";")) {
      String[] words = entry.split("@");
      if (words.length > 3
          && words[0].equals(place.getHostString())
          && (words[1].equals(port) || words[2].equals(port))) {
        return new Way(Integer.parseInt(words[3]), words[1].equals(port));
      }
    }
    throw new IllegalStateException("expected a rank at " + place + " in the ports of all ranks");
  }
}
