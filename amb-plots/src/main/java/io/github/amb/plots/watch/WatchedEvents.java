package io.github.amb.plots.watch;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.plots.PlainText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Changes of the workers and of their speeds, newest last. */
final class WatchedEvents {
  private static final int MAX = 200;

  private final Deque<Event> events = new ArrayDeque<>();
  private final Set<Integer> present = new TreeSet<>();
  private boolean changed;

  /**
   * @param workers number of workers at the start
   */
  WatchedEvents(int workers) {
    for (int rank = 1; rank <= workers; rank++) {
      present.add(rank);
    }
  }

  /**
   * Something that happened.
   *
   * @param time seconds since the run's first step began; NaN if unknown
   * @param step updates at that time
   * @param kind {@code removed}, {@code joined}, {@code generation}, {@code slow}, {@code as
   *     before} or {@code checkpoint}
   * @param text one line
   */
  record Event(double time, long step, String kind, String text) {}

  void add(MembershipRecord change) {
    changed = true;
    Set<Integer> removed = new TreeSet<>(present);
    change.workers().forEach(removed::remove);
    Set<Integer> joined = new TreeSet<>(change.workers());
    joined.removeAll(present);
    String cause = change.cause() == null ? "" : ": " + PlainText.inOneLine(change.cause());
    if (!removed.isEmpty()) {
      add(change, "removed", "removed: " + ranks(removed) + cause);
    }
    if (!joined.isEmpty()) {
      add(change, "joined", "joined: " + ranks(joined));
    }
    if (removed.isEmpty() && joined.isEmpty()) {
      add(change, "generation", "generation " + change.generation() + cause);
    }
    present.clear();
    present.addAll(change.workers());
  }

  private static String ranks(Set<Integer> ranks) {
    List<String> names = ranks.stream().map(String::valueOf).toList();
    return (names.size() == 1 ? "worker " : "workers ") + String.join(", ", names);
  }

  void add(SlowRecord slow) {
    add(slow, slow.slower() ? "slow" : "as before", PlainText.inOneLine(slow.toString()));
  }

  private void add(LogRecord change, String kind, String text) {
    events.add(new Event(change.time(), change.step(), kind, text));
    if (events.size() > MAX) {
      events.remove();
    }
  }

  /** Whether a worker is a member now; every worker is one before the first change. */
  boolean isPresent(int rank) {
    return !changed || present.contains(rank);
  }

  List<Event> list() {
    return new ArrayList<>(events);
  }
}
