package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The generations of a run's ranks, one after the other, of which the newest counts. */
final class Generations {
  private final LaunchPlan plan;
  private final SortedMap<Integer, RankReport.Listening> listening = new TreeMap<>();
  private final Set<Integer> connecting = new TreeSet<>();
  private List<RankProcess> members = List.of();
  private int number = 1;
  private long formed = System.nanoTime();
  private long met;

  Generations(LaunchPlan plan) {
    this.plan = plan;
  }

  /** The ranks of the first one are started; they know that they are its members. */
  void begin(List<RankProcess> first) {
    members = List.copyOf(first);
  }

  /** Number of the newest generation, from 1. */
  int number() {
    return number;
  }

  /** Whether all ranks of the newest generation have said where they listen. */
  boolean isComplete() {
    return listening.size() == members.size();
  }

  /** Lasting numbers of those that have not. */
  List<Integer> missing() {
    return members.stream().map(rank -> rank.rank).filter(r -> !listening.containsKey(r)).toList();
  }

  /** Notes where a rank listens; when all do, tells each of them about all. */
  void listening(RankProcess rank, RankReport.Listening report) {
    if (report.generation() != number || !members.contains(rank)) {
      return;
    }
    listening.put(rank.rank, report);
    if (isComplete()) {
      met = System.nanoTime();
      Order.Table table = new Order.Table(number, members.stream().map(this::place).toList());
      members.forEach(member -> member.tell(table));
    }
  }

  private Order.Place place(RankProcess rank) {
    RankReport.Listening ports = listening.get(rank.rank);
    String host = plan.address(rank.rank).getHostAddress();
    return new Order.Place(host, ports.readPort(), ports.writePort());
  }

  /** Notes that a rank is about to connect to the others of a generation. */
  void connecting(int rank, int generation) {
    if (generation == number) {
      connecting.add(rank);
    }
  }

  /** Notes that it has. */
  void connected(int rank, int generation) {
    if (generation == number) {
      connecting.remove(rank);
    }
  }

  /** Lasting numbers of those that have said that they connect to the others, and not yet have. */
  List<Integer> connecting() {
    return List.copyOf(connecting);
  }

  /** Nanoseconds since the newest was ordered, or those before it that did not come about. */
  long age() {
    return System.nanoTime() - formed;
  }

  /** Nanoseconds since all ranks of the newest met, of which some do not connect; else 0. */
  long unconnected() {
    return connecting.isEmpty() || !isComplete() ? 0 : System.nanoTime() - met;
  }

  /**
   * Orders a new one.
   *
   * @param ranks its ranks, the master first
   */
  void form(List<RankProcess> ranks) {
    formed = System.nanoTime();
    formAgain(ranks);
  }

  /** Orders a new one in place of the newest, which does not come about. */
  void formAgain(List<RankProcess> ranks) {
    members = List.copyOf(ranks);
    number++;
    listening.clear();
    connecting.clear();
    List<Integer> numbers = members.stream().map(rank -> rank.rank).toList();
    for (int i = 0; i < members.size(); i++) {
      members.get(i).tell(new Order.Form(number, i, numbers));
    }
  }
}
