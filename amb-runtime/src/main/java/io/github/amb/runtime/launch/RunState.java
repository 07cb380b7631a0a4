package io.github.amb.runtime.launch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the launcher knows about its run. A value: {@link Supervision} changes a {@linkplain #copy
 * copy}.
 */
final class RunState implements Cloneable {
  static final long NEVER = Long.MIN_VALUE;

  RunStage stage = RunStage.STARTING;

  /** The ranks of the newest generation, by rank, and those that have died in it. */
  SortedMap<Integer, KnownRank> members = new TreeMap<>();

  /** Replacements that have not joined, by rank. */
  SortedMap<Integer, KnownRank> standby = new TreeMap<>();

  /** Workers that are members no more, as they were asked to end, and that run still, by rank. */
  SortedMap<Integer, KnownRank> left = new TreeMap<>();

  /** Ranks to replace, and when. */
  SortedMap<Integer, Long> vacant = new TreeMap<>();

  /** Processes that have been started and have not ended. */
  Set<RankId> running = new LinkedHashSet<>();

  /** Where each rank runs, or ran last. */
  RankPlacement placement;

  /** Places that have lost a worker which runs elsewhere now. */
  List<RankPlacement.Place> spent = new ArrayList<>();

  /** How often places are being read after failures; no replacement starts meanwhile. */
  int reading;

  /** Number of replacements so far, but for those that have got another place. */
  int replacements;

  /** Number of replacements that have got another place. */
  int placed;

  /** Number of the newest generation. Only this one counts. */
  int generation = 1;

  /** Number of the newest generation that was ended. */
  int ended;

  /**
   * When the newest generation was ordered, or the first of several that did not form; or since
   * when a rank has left an earlier one.
   */
  long formed;

  /** Since when all ranks of the newest generation listen. */
  long met;

  /** Why there are new generations since the last one that formed. */
  List<String> reasons = new ArrayList<>();

  /** Nanoseconds for ranks that listen to connect. */
  long patience;

  /** Whether connections are re-established, which is shown. */
  boolean reconnecting;

  /** Since when the newest generation has lost a rank of which no end is known, or NEVER. */
  long lost = NEVER;

  /** When the launcher last looked at heartbeats. */
  long looked;

  /** Why the run ends; null while nothing ends it. */
  FailureCause cause;

  /** When the master ended. */
  long masterEnded;

  /** Whether the run has ended. */
  boolean over;

  /** The state of a run whose ranks start now. */
  static RunState starting(int ranks, RankPlacement placement, long patience, long now) {
    RunState state = new RunState();
    state.placement = placement;
    state.patience = patience;
    state.formed = now;
    state.looked = now;
    for (int rank = 0; rank < ranks; rank++) {
      KnownRank first = new KnownRank(new RankId(rank, 0), now);
      state.members.put(rank, first);
      state.running.add(first.id);
    }
    return state;
  }

  RunState copy() {
    try {
      RunState copy = (RunState) clone();
      copy.members = copy(members);
      copy.standby = copy(standby);
      copy.left = copy(left);
      copy.spent = new ArrayList<>(spent);
      copy.vacant = new TreeMap<>(vacant);
      copy.running = new LinkedHashSet<>(running);
      copy.reasons = new ArrayList<>(reasons);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  private static SortedMap<Integer, KnownRank> copy(SortedMap<Integer, KnownRank> ranks) {
    SortedMap<Integer, KnownRank> copy = new TreeMap<>();
    ranks.forEach((number, rank) -> copy.put(number, rank.copy()));
    return copy;
  }

  /** What is known about this process; null if it is neither member nor replacement, nor leaves. */
  KnownRank find(RankId id) {
    return holders(id.rank()).filter(rank -> rank.id.equals(id)).findFirst().orElse(null);
  }

  /** The process with this number that is not known to have ended; null if there is none. */
  KnownRank holder(int rank) {
    return holders(rank).findFirst().orElse(null);
  }

  private Stream<KnownRank> holders(int rank) {
    return Stream.of(members, standby, left).map(ranks -> ranks.get(rank)).filter(Objects::nonNull);
  }

  /** Whether a rank has not joined. */
  boolean isStandby(KnownRank rank) {
    return standby.containsValue(rank);
  }

  /** Number of workers that stay, or would stay without the failure of others. */
  int standing() {
    int here =
        (int)
            members.values().stream()
                .filter(rank -> rank.rank() > 0 && !rank.leaving)
                .filter(rank -> rank.alive || rank.isBystander())
                .count();
    return here + (cause == null ? 0 : cause.bystanders());
  }

  /** Whether members wait for their leave. */
  boolean hasLeavers() {
    return members.values().stream().anyMatch(rank -> rank.leaving);
  }

  /** Members and replacements that run, and those that leave. */
  List<KnownRank> alive() {
    List<KnownRank> alive = new ArrayList<>(members.values());
    alive.addAll(standby.values());
    alive.addAll(left.values());
    alive.removeIf(rank -> !rank.alive);
    return alive;
  }

  /** Members that have not reported where they listen. */
  List<KnownRank> missing() {
    return members.values().stream().filter(rank -> !rank.listens(generation)).toList();
  }

  /** Numbers of the ranks that are connecting to the others. */
  List<Integer> connecting() {
    return members.values().stream()
        .filter(rank -> rank.connecting == generation)
        .map(KnownRank::rank)
        .toList();
  }

  /** Whether all members listen, and some are not connected. */
  boolean isConnecting() {
    return missing().isEmpty() && !connecting().isEmpty();
  }

  boolean isTraining() {
    return stage.has(RunStage.TRAINING);
  }

  boolean hasMasterEnded() {
    return stage.has(RunStage.MASTER_ENDED);
  }
}
