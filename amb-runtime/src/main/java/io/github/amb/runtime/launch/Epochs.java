package io.github.amb.runtime.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The worlds of a run, one after the other, of which the newest counts. */
final class Epochs implements AutoCloseable {
  private final LaunchPlan plan;
  private final RankCommand command;
  private Rendezvous rendezvous;
  private List<Integer> members;
  private final Set<Integer> connecting = new TreeSet<>();
  private int number = 1;
  private long formed = System.nanoTime();

  Epochs(LaunchPlan plan, RankCommand command, Rendezvous first) {
    this.plan = plan;
    this.command = command;
    rendezvous = first;
    members = new ArrayList<>();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      members.add(rank);
    }
  }

  RankCommand command() {
    return command;
  }

  /** Number of the newest epoch, from 1. */
  int number() {
    return number;
  }

  /** Whether all ranks of the newest world have met. */
  boolean isComplete() {
    return rendezvous.isComplete();
  }

  /** Lasting numbers of those that have not come to the newest world. */
  List<Integer> missing() {
    return rendezvous.missing().stream().map(members::get).toList();
  }

  /** Notes that a rank is about to join the world of an epoch. */
  void connecting(int rank, int epoch) {
    if (epoch == number) {
      connecting.add(rank);
    }
  }

  /** Notes that it has. */
  void connected(int rank, int epoch) {
    if (epoch == number) {
      connecting.remove(rank);
    }
  }

  /** Lasting numbers of those that have said that they connect to the others, and not yet have. */
  List<Integer> connecting() {
    return List.copyOf(connecting);
  }

  /** Nanoseconds since the newest world was ordered, or those before it that did not come about. */
  long age() {
    return System.nanoTime() - formed;
  }

  /** Nanoseconds since all ranks of the newest world met, of which some do not connect; else 0. */
  long unconnected() {
    return connecting.isEmpty() ? 0 : rendezvous.sinceMet();
  }

  /**
   * Orders a new world.
   *
   * @param ranks its ranks, the master first
   */
  void form(List<RankProcess> ranks) throws IOException {
    formed = System.nanoTime();
    formAgain(ranks);
  }

  /** Orders a new world in place of the newest, which does not come about. */
  void formAgain(List<RankProcess> ranks) throws IOException {
    Rendezvous last = rendezvous;
    members = ranks.stream().map(rank -> rank.rank).toList();
    rendezvous = new Rendezvous(plan.address(), ranks.size(), plan.placement().addresses(members));
    number++;
    connecting.clear();
    String configuration = RankCommand.configuration(rendezvous);
    for (int i = 0; i < ranks.size(); i++) {
      ranks.get(i).tell(new EpochOrder(number, i, members, configuration));
    }
    // Those that wait there know by now why they wait in vain.
    last.close();
  }

  @Override
  public void close() throws IOException {
    rendezvous.close();
  }
}
