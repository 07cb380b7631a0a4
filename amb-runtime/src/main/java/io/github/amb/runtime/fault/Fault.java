package io.github.amb.runtime.fault;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * A fault that is injected to rehearse its consequences, with all that was drawn.
 *
 * @param id its name in the campaign
 * @param incident what it has in common with others of this name; empty if nothing
 * @param kind what happens
 * @param ranks the affected workers, from 1; the master, 0, with a fault of the disk
 * @param when the steps count from each such event; null if they are the run's
 * @param starts steps at which it begins, ascending, from 1; if the worker computes no result for
 *     one, the worker's next result is affected
 * @param steps with a fault that {@linkplain Kind#lasts lasts}, for how many steps; may be infinite
 * @param amount the factor or the number of seconds of a kind that has one
 */
public record Fault(
    String id,
    String incident,
    Kind kind,
    SortedSet<Integer> ranks,
    Event when,
    List<Long> starts,
    double steps,
    double amount) {
  /** Written starts; more are counted. */
  private static final int SHOWN = 5;

  /** What carries a fault out. */
  public enum Place {
    /** The worker, when it sends a result. */
    RESULT,
    /** The worker's link, below the layers that notice. */
    LINK,
    /** The worker's clock. */
    CLOCK,
    /** The master's disk. */
    DISK
  }

  /** What happens. */
  public enum Kind {
    /** The process is killed (SIGKILL) before it sends its result. */
    KILL(Place.RESULT),
    /** The process is stopped (SIGSTOP) before it sends its result. */
    STALL(Place.RESULT),
    /** The workers exchange no message and no heartbeat with the others for some seconds. */
    PARTITION(Place.RESULT),
    /** The worker throws an exception instead of sending its result. */
    THROW(Place.RESULT),
    /** The worker runs out of memory instead of sending its result. */
    OUT_OF_MEMORY(Place.RESULT),
    /** The result has an entry that is not a number. */
    NAN(Place.RESULT),
    /** All values of the result are multiplied by a finite number. */
    CORRUPT_VALUES(Place.RESULT),
    /** The result has the values of the worker's result before it. */
    STALE_RESULT(Place.RESULT),
    /** Work takes a multiple of its time, micro-batch by micro-batch. */
    SLOW(Place.CLOCK),
    /** The worker's clock jumps ahead. */
    CLOCK_JUMP(Place.CLOCK),
    /** The result is one value short when it is sent. */
    CORRUPT_MESSAGE(Place.LINK),
    /** The result has the kind of another message. */
    WRONG_KIND(Place.LINK),
    /** The result is lost. */
    DROP_MESSAGE(Place.LINK),
    /** The result arrives twice. */
    DUPLICATE_MESSAGE(Place.LINK),
    /** The result arrives after the next message of the same worker. */
    LATE_MESSAGE(Place.LINK),
    /** The disk rejects records and checkpoints. */
    DISK_FULL(Place.DISK),
    /** Each write of records and checkpoints fails. */
    DISK_ERROR(Place.DISK),
    /** Each write of records and checkpoints takes longer. */
    DISK_SLOW(Place.DISK),
    /** The next checkpoint vanishes once it is written. */
    CHECKPOINT_MISSING(Place.DISK),
    /** The largest file of the next checkpoint loses its second half once it is written. */
    CHECKPOINT_TRUNCATED(Place.DISK),
    /** One bit of the largest file of the next checkpoint changes once it is written. */
    CHECKPOINT_SPOILT(Place.DISK);

    private final Place place;

    Kind(Place place) {
      this.place = place;
    }

    /** What carries it out. */
    public Place place() {
      return place;
    }

    /** Whether it is a state of some steps, and not one moment. */
    public boolean lasts() {
      return this == SLOW || this == DISK_FULL || this == DISK_ERROR || this == DISK_SLOW;
    }

    /** As {@code --inject} has it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A change of the members.
   *
   * @param joined whether the worker has become a member; otherwise it was removed
   * @param rank the worker, from 1
   */
  public record Event(boolean joined, int rank) {
    /** As {@code when} has it. */
    @Override
    public String toString() {
      return (joined ? "joined " : "removed ") + rank;
    }
  }

  /** What {@code --inject} takes in one line, for help. */
  public static final String FORMS =
      "a campaign.yaml, or faults joined by ;. Of a worker, KIND:rank=R,step=S: kill, stall, partition,"
          + " throw, out-of-memory, nan, corrupt-values, stale-result, slow, clock-jump. Of its messages:"
          + " corrupt-message, wrong-kind, drop-message, duplicate-message, late-message. Of the"
          + " disk, KIND:step=S: disk-full, disk-error, disk-slow, checkpoint-missing,"
          + " checkpoint-truncated, checkpoint-spoilt. rank=any and step=A-B are drawn from the seed";

  /** Whether all that it changes is in the times and the number of a run's records. */
  public boolean isRecorded() {
    return kind == Kind.SLOW || kind == Kind.DISK_FULL;
  }

  /** What happens where and when, in the form that {@code --inject} takes. */
  @Override
  public String toString() {
    String where = kind.place() == Place.DISK ? "" : "rank=" + joined(ranks) + ",";
    String from = when == null ? "" : "when=" + when + ",";
    String more = starts.size() > SHOWN ? "+... (" + starts.size() + ")" : "";
    String first = joined(starts.subList(0, Math.min(SHOWN, starts.size())));
    String lasts = kind.lasts() && steps < Double.POSITIVE_INFINITY ? ",steps=" + (long) steps : "";
    String times = kind == Kind.SLOW ? ",factor=" + amount : "";
    return kind + ":" + where + from + "step=" + first + more + lasts + times;
  }

  private static String joined(Collection<? extends Number> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining("+"));
  }
}
