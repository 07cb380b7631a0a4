package io.github.amb.runtime.fault;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fault that is injected to rehearse its consequences.
 *
 * @param kind what happens
 * @param rank the affected worker, from 1; 0, the master, with {@link Kind#DISK_FULL}
 * @param step the step of the fault, or its first step; if the worker computes no result for it,
 *     the step of the worker's next result
 * @param factor with {@link Kind#SLOW}, the factor on the worker's times; with {@link
 *     Kind#DISK_FULL}, the number of steps
 */
public record Fault(Kind kind, int rank, long step, double factor) {
  /** What happens. */
  public enum Kind {
    /** The process is killed (SIGKILL) before it sends its result. */
    KILL,
    /** The process is stopped (SIGSTOP) before it sends its result. */
    STALL,
    /** The worker throws an exception instead of sending its result. */
    THROW,
    /** The worker runs out of memory instead of sending its result. */
    OUT_OF_MEMORY,
    /** From this step on, work takes {@code factor} times as long, micro-batch by micro-batch. */
    SLOW,
    /** The result has an entry that is not a number. */
    NAN,
    /** The result is one value short when it is sent. */
    CORRUPT_MESSAGE,
    /** The result has the kind of another message. */
    WRONG_KIND,
    /** The result is lost. */
    DROP_MESSAGE,
    /** The result arrives twice. */
    DUPLICATE_MESSAGE,
    /** The result arrives after the next message of the same worker. */
    LATE_MESSAGE,
    /** From this step on, for {@code factor} steps, the disk rejects records and checkpoints. */
    DISK_FULL;

    /** As {@code --inject} has it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final double USUAL_FACTOR = 10;

  /** The forms of all faults in one line, for help. */
  public static final String FORMS =
      "kill, stall, throw, out-of-memory, nan, corrupt-message, wrong-kind, drop-message,"
          + " duplicate-message or late-message :rank=R,step=S, slow:rank=R,step=S,factor=10, or"
          + " disk-full:step=S,steps=N; rank=any and step=A-B are drawn from the seed; several"
          + " joined by ;";

  /**
   * Reads faults: {@code kill:rank=2,step=50;slow:rank=any,step=1-100,factor=10}. Each draws from a
   * random stream of its own, so that equal runs have equal faults.
   *
   * @param text the faults, separated by semicolons
   * @param streams the run's random streams
   * @param workers number of workers, among which {@code any} is drawn
   * @throws UsageException if a fault is invalid
   */
  public static List<Fault> parseAll(String text, Streams streams, int workers) {
    String[] parts = text.split(";");
    return IntStream.range(0, parts.length)
        .mapToObj(i -> parse(parts[i], new FaultDraw(streams.stream("fault", 0, i), workers)))
        .toList();
  }

  /** Whether all that it changes is in the times and the number of a run's records. */
  public boolean isRecorded() {
    return kind == Kind.SLOW || kind == Kind.DISK_FULL;
  }

  /** The fault as {@link #parseAll} reads it. */
  @Override
  public String toString() {
    if (kind == Kind.DISK_FULL) {
      String steps = factor == Double.POSITIVE_INFINITY ? "" : ",steps=" + (long) factor;
      return kind + ":step=" + step + steps;
    }
    String times = kind == Kind.SLOW ? ",factor=" + factor : "";
    return kind + ":rank=" + rank + ",step=" + step + times;
  }

  private static Fault parse(String text, FaultDraw draw) {
    String name = text.split(":", 2)[0].strip().replaceFirst("-frame$", "-message"); // the old name
    Map<String, Kind> kinds =
        Arrays.stream(Kind.values()).collect(Collectors.toMap(Kind::toString, kind -> kind));
    if (!kinds.containsKey(name)) {
      throw new UsageException(
          "--inject: unknown fault '" + name + "'" + Suggestion.forName(name, kinds.keySet()));
    }
    Map<String, String> values = values(text);
    Kind kind = kinds.get(name);
    return kind == Kind.DISK_FULL
        ? fullDisk(values, text, draw)
        : ofWorker(kind, values, text, draw);
  }

  private static Fault fullDisk(Map<String, String> values, String text, FaultDraw draw) {
    try {
      long step = draw.step(values.remove("step"));
      String given = values.remove("steps");
      double steps = given == null ? Double.POSITIVE_INFINITY : Decimal.whole(given);
      if (step >= 1 && steps >= 1 && values.isEmpty()) {
        return new Fault(Kind.DISK_FULL, 0, step, steps);
      }
    } catch (NumberFormatException e) {
      // The message follows below.
    }
    throw new UsageException(
        "--inject: expected disk-full:step=S[,steps=N] with S and N of at least 1, found '%s'",
        text);
  }

  private static Fault ofWorker(
      Kind kind, Map<String, String> values, String text, FaultDraw draw) {
    try {
      int rank = draw.rank(values.remove("rank"));
      long step = draw.step(values.remove("step"));
      String factor = kind == Kind.SLOW ? values.remove("factor") : null;
      double times = factor == null ? USUAL_FACTOR : Decimal.real(factor);
      if (rank >= 1 && step >= 1 && times >= 1 && times <= 1e6 && values.isEmpty()) {
        return new Fault(kind, rank, step, times);
      }
    } catch (NumberFormatException e) {
      // The message follows below.
    }
    throw new UsageException(
        "--inject: expected %s:rank=R,step=S%s with R and S of at least 1, found '%s'",
        kind, kind == Kind.SLOW ? "[,factor=F]" : "", text);
  }

  private static Map<String, String> values(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String part : text.substring(text.indexOf(':') + 1).split(",")) {
      String[] pair = part.split("=", 2);
      values.put(pair[0].strip(), pair.length == 2 ? pair[1].strip() : "");
    }
    return values;
  }
}
