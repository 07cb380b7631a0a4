package io.github.amb.core.sim;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Delays, computing times, numbers of examples and order of arrival of a recorded run. They drive a
 * virtual cluster: every worker sleeps, computes and stops as recorded, and its results arrive when
 * they did. A trace counts what was used, so it serves one run.
 *
 * <p>The last partition of a step takes all of the step's computing time and those before it none,
 * so that a time limit ends the step at the recorded partition. Of a dropped result only the size
 * and the arrival are known: it takes no time to compute and is delayed until its arrival. A worker
 * that computes more often than recorded repeats its last step.
 */
public final class Trace {
  private static final int UNKNOWN = -1;

  private final RunDirectory run;
  private final List<WorkerTrace> workers = new ArrayList<>();

  private Trace(RunDirectory run) {
    this.run = run;
  }

  /**
   * Reads the logs of a run.
   *
   * @param workers number of workers
   * @throws UsageException if a worker has no records
   * @throws IOException if a log cannot be read
   */
  public static Trace read(RunDirectory run, int workers) throws IOException {
    Trace trace = new Trace(run);
    List<LogRecord> master = run.masterRecords();
    for (int rank = 1; rank <= workers; rank++) {
      trace.workers.add(trace.new WorkerTrace(rank, results(run, rank, master)));
    }
    return trace;
  }

  private static List<Result> results(RunDirectory run, int rank, List<LogRecord> master)
      throws IOException {
    Stream<Result> used =
        run.workerRecords(rank).stream()
            .filter(WorkerRecord.class::isInstance)
            .map(record -> Result.of((WorkerRecord) record));
    Stream<Result> dropped =
        master.stream()
            .filter(record -> record instanceof DropRecord drop && drop.rank() == rank)
            .map(record -> Result.of((DropRecord) record));
    List<Result> all =
        Stream.concat(used, dropped).sorted(Comparator.comparingDouble(Result::time)).toList();
    if (all.isEmpty()) {
      throw new UsageException(
          "%s: expected records of worker %d, found none; replay needs a run with %d workers or more"
              .formatted(run.workerLog(rank), rank, rank));
    }
    return all;
  }

  /** The recorded delays of worker {@code rank}, one per call. */
  public DelayModel delays(int rank) {
    return random -> workers.get(rank - 1).delay();
  }

  /**
   * Times of recorded computations, which include workers' own updates.
   *
   * @param other times of all other work
   */
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
   * took at least as long in the recorded run, so no result is ready too late.
   */
  public Hold hold() {
    return (source, kind, time) ->
        source == Communicator.MASTER ? time : workers.get(source - 1).leave(kind, time);
  }

  /**
   * One result of a worker.
   *
   * @param time when the master took it, in seconds since training started
   * @param sleepTime induced delay in seconds
   * @param computeTime seconds, delay included
   * @param partitions number of partitions, or {@link #UNKNOWN}
   */
  private record Result(
      double time, double sleepTime, double computeTime, int partitions, long examples) {
    static Result of(WorkerRecord used) {
      return new Result(
          used.time(), used.sleepTime(), used.computeTime(), used.partitions(), used.numSamples());
    }

    static Result of(DropRecord dropped) {
      return new Result(dropped.time(), 0, 0, UNKNOWN, dropped.numSamples());
    }
  }

  /** One worker's results, and its position in them. */
  private final class WorkerTrace {
    private final int rank;
    private final List<Result> results;
    private int index = -1;
    private Result result;
    private int partitions;
    private long examples;
    private long lastLeft;

    WorkerTrace(int rank, List<Result> results) {
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
      if (last && result.partitions() != UNKNOWN && examples != result.examples()) {
        throw new UsageException(
            "%s: worker %d, result %d: expected %d examples in %d partitions, found %d in %d; replay with the run's own batch size and partitions"
                .formatted(
                    run.path(),
                    rank,
                    index + 1,
                    result.examples(),
                    result.partitions(),
                    examples,
                    partitions));
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
