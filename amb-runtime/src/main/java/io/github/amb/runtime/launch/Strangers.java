package io.github.amb.runtime.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out who connected to the ranks of an epoch without being one: a connection that came to a
 * rank's port, and of which no rank says that it made it.
 */
final class Strangers {
  private static final Pattern CONNECTION = Pattern.compile("(\\d{1,5})>(\\S+):(\\d{1,5})");

  private final List<Integer> members;
  private final Rendezvous rendezvous;
  private final Map<Integer, List<Matcher>> connections = new HashMap<>();

  /**
   * @param members lasting numbers of the epoch's ranks, by rank
   * @param rendezvous where they met, which knows their ports
   */
  Strangers(List<Integer> members, Rendezvous rendezvous) {
    this.members = members;
    this.rendezvous = rendezvous;
  }

  /**
   * Takes what a rank says of its connections when it leaves the epoch.
   *
   * @param rank its lasting number
   * @param said each connection as {@code port>host:port}
   * @return who connected without being a rank, once all have said it
   */
  List<String> leaves(int rank, String said) {
    List<Matcher> all = new ArrayList<>();
    for (String word : said.split(" ")) {
      Matcher connection = CONNECTION.matcher(word);
      if (connection.matches()) {
        all.add(connection);
      }
    }
    boolean first = connections.put(rank, all) == null;
    return first && connections.keySet().containsAll(members) ? find() : List.of();
  }

  /** A connection that came to a rank, told by its other end. */
  static String describe(String stranger, int rank) {
    return stranger + " to rank " + rank;
  }

  private List<String> find() {
    Set<String> made = new HashSet<>();
    connections.values().forEach(all -> all.forEach(c -> made.add(c.group(1) + ">" + c.group(3))));
    List<String> strangers = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      Set<Integer> ports = rendezvous.ports(i);
      for (Matcher connection : connections.get(members.get(i))) {
        boolean came = ports.contains(Integer.valueOf(connection.group(1)));
        if (came && !made.contains(connection.group(3) + ">" + connection.group(1))) {
          strangers.add(describe(connection.group(2) + ":" + connection.group(3), members.get(i)));
        }
      }
    }
    return strangers;
  }
}
