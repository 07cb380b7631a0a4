package io.github.amb.core.sim;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.ResultRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Delays, computing times, numbers of examples and order of arrival of a recorded run. They drive a
 * virtual cluster: every worker sleeps, computes and stops as recorded, and its results arrive when
 * they did. A trace counts what was used, so it serves one run.
 *
 * <p>The last partition of a step takes all of the step's computing time and those before it none,
 * so that a time limit ends the step at the recorded partition. Older builds have recorded only the
 * size and the arrival of a dropped result: it takes no time to compute, and is right only where it
 * is delayed until its arrival. A worker that computes more often than recorded repeats its last
 * step.
 */
public final class Trace implements RecordedTimes {
  private static final int UNKNOWN = 0;

  private final RunDirectory run;
  private final boolean freeLinks;
  private final List<WorkerTrace> workers = new ArrayList<>();
  private final List<CollectRecord> collections;

  private Trace(RunDirectory run, boolean freeLinks, List<LogRecord> master) {
    this.run = run;
    this.freeLinks = freeLinks;
    collections = LogRecord.of(CollectRecord.class, master);
  }

  /**
   * Reads the logs of a run.
   *
   * @param workers number of workers
   * @param freeLinks whether the virtual cluster's links take no time, so that results can be
   *     delayed until their recorded arrival
   * @throws UsageException if the run has no step, its workers changed, records of it are missing,
   *     or do not have what these links need
   * @throws IOException if a log cannot be read
   */
  public static Trace read(RunDirectory run, int workers, boolean freeLinks) throws IOException {
    List<LogRecord> master = run.masterRecords();
    Trace trace = new Trace(run, freeLinks, master);
    for (MembershipRecord change : LogRecord.of(MembershipRecord.class, master)) {
      throw new UsageException(
          "%s: expected a run whose workers stayed the same, found a change after step %d: %s",
          run.masterLog(), change.step(), change.cause());
    }
    if (trace.steps() == 0) {
      throw new UsageException(
          "--replay: expected a run of at least one step, found none in " + run.masterLog());
    }
    for (int rank = 1; rank <= workers; rank++) {
      trace.workers.add(trace.new WorkerTrace(rank, trace.results(rank, master)));
    }
    trace.expectAll();
    return trace;
  }

  /** Checks that the results of every step are there. */
  private void expectAll() throws IOException {
    Map<Long, Integer> results = new HashMap<>();
    for (int rank : run.workers()) {
      used(run, rank).forEach(record -> results.merge(record.masterStep(), 1, Integer::sum));
    }
    long step = 0;
    for (CollectRecord record : collections) {
      step++;
      if (record.step() != step || record.workerCount() != results.getOrDefault(step, 0)) {
        throw new UsageException(
            "%s: expected the records of all results, found not all of step %d", run.path(), step);
      }
    }
  }

  private static List<WorkerRecord> used(RunDirectory run, int rank) throws IOException {
    return LogRecord.of(WorkerRecord.class, run.workerRecords(rank));
  }

  /** Number of updates that were recorded. */
  public long steps() {
    return collections.size();
  }

  private List<ResultRecord> results(int rank, List<LogRecord> master) throws IOException {
    List<ResultRecord> all = results(run, rank, LogRecord.of(DropRecord.class, master));
    if (!freeLinks && !all.stream().allMatch(Trace::isTimed)) {
      throw new UsageException(
          "%s: expected computing times of dropped results, found a record of an older build; leave --latency and --bandwidth out",
          run.masterLog());
    }
    if (all.isEmpty()) {
      throw new UsageException(
          "%s: expected records of worker %d, found none; replay needs a run with %d workers or more",
          run.workerLog(rank), rank, rank);
    }
    return all;
  }

  /** All results of a worker in order, also those that no update used. */
  static List<ResultRecord> results(RunDirectory run, int rank, List<DropRecord> dropped)
      throws IOException {
    return Stream.<ResultRecord>concat(
            used(run, rank).stream(), dropped.stream().filter(drop -> drop.rank() == rank))
        .sorted(Comparator.comparingDouble(ResultRecord::time))
        .toList();
  }

  /** Whether the computing time of a result is known, unlike that of a dropped one of old. */
  static boolean isTimed(ResultRecord result) {
    return !(result instanceof DropRecord) || result.partitions() != UNKNOWN;
  }

  @Override
  public DelayModel delays(int rank) {
    return random -> workers.get(rank - 1).delay();
  }

  /** Recorded computations include workers' own updates. */
  @Override
  public WorkTime workTime(WorkTime other) {
    return (rank, work, amount) -> {
      if (work == Work.PARTITION) {
        return workers.get(rank - 1).partition(amount);
      }
      boolean recorded = work == Work.UPDATE && rank != Communicator.MASTER;
      return recorded ? 0 : other.nanos(rank, work, amount);
    };
  }

  /**
   * Delays every result until its recorded arrival, on links that take no time. Everything else
   * took at least as long in the recorded run, so no result is ready too late. On other links it
   * delays nothing: there the order of arrival is the question.
   */
  @Override
  public Hold hold() {
    return (source, kind, time) ->
        source == Communicator.MASTER || !freeLinks
            ? time
            : workers.get(source - 1).leave(kind, time);
  }

  /** One worker's results, and its position in them. */
  private final class WorkerTrace {
    private final int rank;
    private final List<ResultRecord> results;
    private int index = -1;
    private ResultRecord result;
    private int partitions;
    private long examples;
    private long lastLeft;

    WorkerTrace(int rank, List<ResultRecord> results) {
      this.rank = rank;
      this.results = results;
    }

    /**
     * The delay of a whole result in seconds, before its first batch; 0 before its other batches.
     */
    double delay() {
      if (result != null && partitions < result.partitions()) {
        return 0;
      }
      index++;
      result = results.get(Math.min(index, results.size() - 1));
      partitions = 0;
      examples = 0;
      return result.sleepTime();
    }

    /** Duration of the result's next partition in nanoseconds. */
    long partition(long amount) {
      partitions++;
      examples += amount;
      boolean last = partitions >= result.partitions();
      boolean known = result.partitions() != UNKNOWN && result.numSamples() > 0;
      if (last && known && examples != result.numSamples()) {
        throw new UsageException(
            "%s: worker %d, result %d: expected %d examples in %d partitions, found %d in %d; replay with the run's own batch size and partitions",
            run.path(),
            rank,
            index + 1,
            result.numSamples(),
            result.partitions(),
            examples,
            partitions);
      }
      return last ? Clock.nanos(result.computeTime()) - Clock.nanos(result.sleepTime()) : 0;
    }

    /** When a message may leave: a result at its arrival, and no message before an earlier one. */
    long leave(Message.Kind kind, long time) {
      boolean holds =
          (kind == Message.Kind.GRADIENT || kind == Message.Kind.DELTA) && index < results.size();
      lastLeft = Math.max(lastLeft, holds ? Clock.nanos(result.time()) : time);
      lastLeft = Math.max(lastLeft, time);
      return lastLeft;
    }
  }
}
