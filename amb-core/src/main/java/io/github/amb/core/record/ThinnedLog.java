package io.github.amb.core.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The records of logs in bounded memory. Up to half a million are all kept. Of more, each kind has
 * its first thousand, its last, and pairs of neighbors at equal distances. Rare kinds stay
 * complete; the first update after a change of the workers, and each test that is better than all
 * before it, are kinds of their own. The records of each worker are one kind.
 */
public final class ThinnedLog {
  /** Number of records of each kind that are kept from its beginning; even, for the pairs. */
  static final int FIRST = 1000;

  private static final int MAX = 1 << 19;

  /** Ranks beyond it, which only a damaged log has, share their kinds. */
  private static final int RANKS = 1 << 16;

  private enum Rare {
    FIRST_AFTER_CHANGE,
    BEST_TEST
  }

  private final int most;
  private final Map<Object, Kind> kinds = new HashMap<>();
  private final List<LogRecord> kept = new ArrayList<>();
  private final List<Kind> kindsOfKept = new ArrayList<>();
  private long count;
  private boolean changed;
  private TestProgress tests = TestProgress.NONE;

  /** Records of which all, or pairs at a distance, are kept. */
  private static final class Kind {
    private final Kind rest;
    private long pairs = 1;
    private long count;
    private int kept;
    private LogRecord last;
    private LogRecord lastKept;
    private long lastAt;

    /**
     * @param rest takes the records after the first; null for all in one
     */
    Kind(Kind rest) {
      this.rest = rest;
    }
  }

  /** A log of at most half a million records in memory. */
  public ThinnedLog() {
    this(MAX);
  }

  ThinnedLog(int most) {
    this.most = most;
  }

  /** Adds the next record of a log. */
  public void add(LogRecord record) {
    count++;
    Kind kind = kinds.computeIfAbsent(key(record), key -> new Kind(new Kind(null)));
    kind = kind.count < FIRST ? kind : kind.rest;
    kind.last = record;
    kind.lastAt = count;
    if (kind.count++ / 2 % kind.pairs != 0) {
      return;
    }
    kind.lastKept = record;
    kind.kept++;
    kept.add(record);
    kindsOfKept.add(kind);
    if (kept.size() > most) {
      thin();
    }
  }

  private Object key(LogRecord record) {
    if (record instanceof WorkerRecord worker) {
      return Math.floorMod(worker.rank(), RANKS);
    }
    if (record instanceof StepRecord && changed) {
      changed = false;
      return Rare.FIRST_AFTER_CHANGE;
    }
    changed |= record instanceof MembershipRecord;
    if (record instanceof EvaluationRecord test) {
      tests = tests.with(test, 0);
      if (tests.stale() == 0) {
        return Rare.BEST_TEST;
      }
    }
    return record.getClass();
  }

  /** Removes every second pair of the kinds that have the most records. */
  private void thin() {
    int largest = kindsOfKept.stream().mapToInt(kind -> kind.kept).max().orElse(0);
    Map<Kind, Integer> thinned = new HashMap<>();
    kindsOfKept.stream().filter(kind -> kind.kept > largest / 2).forEach(k -> thinned.put(k, -1));
    for (Kind kind : thinned.keySet()) {
      kind.pairs *= 2;
      kind.kept = 0;
      kind.lastKept = null;
    }
    int to = 0;
    for (int i = 0; i < kept.size(); i++) {
      Kind kind = kindsOfKept.get(i);
      Integer index = thinned.computeIfPresent(kind, (k, before) -> before + 1);
      if (index != null && index / 2 % 2 == 0) {
        kind.kept++;
        kind.lastKept = kept.get(i);
      }
      if (index == null || index / 2 % 2 == 0) {
        kept.set(to, kept.get(i));
        kindsOfKept.set(to, kind);
        to++;
      }
    }
    kept.subList(to, kept.size()).clear();
    kindsOfKept.subList(to, kindsOfKept.size()).clear();
  }

  /** Number of records that were added. */
  public long count() {
    return count;
  }

  /** Whether some records were not kept. */
  public boolean isThinned() {
    return count > kept.size();
  }

  /**
   * The records that were kept, in the order added; the last ones of kinds that have lost records
   * come at the end.
   */
  public List<LogRecord> records() {
    List<LogRecord> records = new ArrayList<>(kept);
    kinds.values().stream()
        .flatMap(kind -> Stream.of(kind, kind.rest))
        .filter(kind -> kind.last != kind.lastKept)
        .sorted(Comparator.comparingLong(kind -> kind.lastAt))
        .forEach(kind -> records.add(kind.last));
    return records;
  }
}
