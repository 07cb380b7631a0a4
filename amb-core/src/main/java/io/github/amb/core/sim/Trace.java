package io.github.amb.core.sim;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
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
 * A recorded run's delays, computing times, example counts and order of arrival, which drive a
 * virtual cluster: every worker sleeps, computes and stops as it did then, and its results come
 * when they came then. Made for one run, as it keeps count.
 *
 * <p>Of a step's partitions the last takes all of the step's computing time and those before it
 * none, so that a time limit strikes exactly where it did. Of a result that was not used only its
 * size and arrival are known, so it takes no time to compute and is held until then. A worker that
 * computes more often than it was recorded to repeats its last step.
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

  /** Gives worker {@code rank} its recorded delays, one after the other. */
  public DelayModel delays(int rank) {
    return random -> workers.get(rank - 1).delay();
  }

  /**
   * Times of recorded computations, which include workers' own updates; other work takes as long as
   * {@code other} says.
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
   * Holds every result back until it arrived in the run, for links that take no time. As the run
   * took the same time or longer for everything else, nothing comes too late for that.
   */
  public Hold hold() {
    return (source, kind, time) ->
        source == Communicator.MASTER ? time : workers.get(source - 1).leave(kind, time);
  }

  /**
   * One result of a worker.
   *
   * @param time seconds since training started, when the master took it
   * @param sleepTime seconds
   * @param computeTime seconds, delay included
   * @param partitions how many, or {@link #UNKNOWN}
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

  /** One worker's results, and where it stands in them. */
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

    /** The delay in seconds of a whole result, before its first batch; none before others. */
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

    /** Nanoseconds of the result's next partition. */
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

    /** When a frame may leave: a result when it is to come, no frame before one sent earlier. */
    long leave(Frame.Kind kind, long time) {
      boolean holds =
          (kind == Frame.Kind.GRADIENT || kind == Frame.Kind.DELTA) && index < results.size();
      lastLeft = Math.max(lastLeft, holds ? Clock.nanos(result.time()) : time);
      lastLeft = Math.max(lastLeft, time);
      return lastLeft;
    }
  }
}
