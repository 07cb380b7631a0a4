package io.github.amb.bench.compute;

import com.sun.management.ThreadMXBean;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.StandInSource;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.option.Setting;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** A run of a scheme between two threads, with the bytes that each allocates per step. */
final class AllocationRun {
  private static final Clock CLOCK = new SystemClock();
  private static final int BATCH_SIZE = 64;
  private static final String TIME_LIMIT = "10";
  private static final String PARTITIONS = "4";

  private final int parameters;
  private final int steps;
  private final Counter masterSteps;
  private final Counter workerSteps;

  AllocationRun(int parameters, int steps) {
    this.parameters = parameters;
    this.steps = steps;
    masterSteps = new Counter(steps);
    workerSteps = new Counter(steps);
  }

  /**
   * Runs the scheme to its end.
   *
   * @param scheme name of the scheme
   * @param masterLog receives the master's records
   * @param workerLog receives the worker's records
   */
  void run(
      String scheme,
      Consumer<? super LogRecord> masterLog,
      Consumer<? super WorkerRecord> workerLog) {
    Scheme running = Schemes.named(scheme).create(options(scheme));
    MemoryLink link = new MemoryLink();
    var worker =
        CompletableFuture.runAsync(
            () -> running.runWorker(worker(workerLog), link.worker()), AllocationRun::start);
    try {
      running.runMaster(master(masterLog), link.master());
    } catch (RuntimeException e) {
      worker.completeExceptionally(e);
    }
    try {
      worker.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the run failed: " + e.getCause().getMessage(), e.getCause());
    }
  }

  private static SchemeOptions options(String scheme) {
    SchemeOptions options = new SchemeOptions(BATCH_SIZE, 1);
    Map<String, String> values =
        Map.of("amb-time-limit", TIME_LIMIT, "amb-num-partitions", PARTITIONS);
    for (Setting<?> option : Schemes.named(scheme).options()) {
      options = options.withText(option, values.get(option.name()));
    }
    return options;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    thread.start();
  }

  private WorkerContext worker(Consumer<? super WorkerRecord> log) {
    return new StandInSource(parameters, 0, CLOCK)
        .worker(
            1,
            1,
            record -> {
              workerSteps.stepEnded();
              log.accept(record);
            });
  }

  private MasterContext master(Consumer<? super LogRecord> log) {
    return new StandInSource(parameters, 0, CLOCK)
        .master(
            StopRule.after(steps),
            record -> {
              if (record instanceof StepRecord) {
                masterSteps.stepEnded();
              }
              log.accept(record);
            });
  }

  Counter masterSteps() {
    return masterSteps;
  }

  Counter workerSteps() {
    return workerSteps;
  }

  /** Counts the bytes that one thread allocates per step. Counting allocates nothing. */
  static final class Counter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] bytes;
    private int steps;

    /** A counter for {@code steps} steps, warm-up included. */
    Counter(int steps) {
      bytes = new long[steps];
    }

    /** Marks the end of a step of the calling thread. */
    void stepEnded() {
      bytes[steps++] = THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Bytes of each step after the first {@code warmUp} steps, at least 1. */
    Sample perStep(int warmUp) {
      double[] differences = new double[steps - warmUp];
      for (int i = 0; i < differences.length; i++) {
        differences[i] = bytes[warmUp + i] - bytes[warmUp + i - 1];
      }
      return Sample.of(differences);
    }
  }
}
