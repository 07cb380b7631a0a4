package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The generations of a run's ranks. Only the newest one counts. */
final class Generations {
  private final RankPlacement placement;
  private final SortedMap<Integer, RankReport.Listening> listening = new TreeMap<>();
  private final Set<Integer> connecting = new TreeSet<>();
  private final Set<RankProcess> free = new HashSet<>();
  private final List<String> reasons = new ArrayList<>();
  private List<RankProcess> members = List.of();
  private int number = 1;
  private long formed = System.nanoTime();
  private long met;

  Generations(RankPlacement placement) {
    this.placement = placement;
  }

  /** Begins the first generation, whose ranks know that they are its members. */
  void begin(List<RankProcess> first) {
    members = List.copyOf(first);
  }

  /** Number of the newest generation, from 1. */
  int number() {
    return number;
  }

  /** Whether all ranks of the newest generation have reported where they listen. */
  boolean isComplete() {
    return listening.size() == members.size();
  }

  /** How many ranks of the newest generation have reported where they listen. */
  int met() {
    return listening.size();
  }

  /** The ranks that have not reported where they listen. */
  List<RankProcess> missing() {
    return members.stream().filter(rank -> !listening.containsKey(rank.rank)).toList();
  }

  /**
   * Records that a rank has left an earlier generation. Until then it may have computed for long,
   * so the newest generation gets its time to form once more.
   */
  void left(RankProcess rank) {
    if (free.add(rank)) {
      formed = System.nanoTime();
    }
  }

  /** Records where a rank listens. When all ranks have reported, each receives the table of all. */
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
    String host = placement.address(rank.rank).getHostAddress();
    return new Order.Place(host, ports.readPort(), ports.writePort());
  }

  /** Records that a rank is about to connect to the others of a generation. */
  void connecting(int rank, int generation) {
    if (generation == number) {
      connecting.add(rank);
    }
  }

  /** Records that a rank is connected to all others of a generation. */
  void connected(int rank, int generation) {
    if (generation == number) {
      connecting.remove(rank);
    }
  }

  /** Numbers of the ranks that are connecting to the others and have not finished. */
  List<Integer> connecting() {
    return List.copyOf(connecting);
  }

  /**
   * Nanoseconds since the newest generation was ordered, or the first of several that did not form;
   * or since a rank has left an earlier one.
   */
  long age() {
    return System.nanoTime() - formed;
  }

  /**
   * Nanoseconds since all ranks of the newest generation listen, while some are not connected;
   * otherwise 0.
   */
  long unconnected() {
    return connecting.isEmpty() || !isComplete() ? 0 : System.nanoTime() - met;
  }

  /**
   * Orders a new generation.
   *
   * @param ranks its ranks, the master first
   * @param reason which rank failed or joined; empty if none did
   */
  void form(List<RankProcess> ranks, String reason) {
    formed = System.nanoTime();
    free.clear();
    if (isComplete() && connecting.isEmpty()) {
      reasons.clear();
    }
    if (!reason.isEmpty()) {
      reasons.add(reason);
    }
    formAgain(ranks);
  }

  /**
   * Orders a new generation in place of the newest one, which did not form.
   *
   * @param ranks its ranks, the master first
   */
  void formAgain(List<RankProcess> ranks) {
    members = List.copyOf(ranks);
    number++;
    listening.clear();
    connecting.clear();
    List<Integer> numbers = members.stream().map(rank -> rank.rank).toList();
    for (int i = 0; i < members.size(); i++) {
      members.get(i).tell(new Order.Form(number, i, numbers, String.join("; ", reasons)));
    }
  }
}
