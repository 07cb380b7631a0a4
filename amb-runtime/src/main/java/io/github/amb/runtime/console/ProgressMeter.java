package io.github.amb.runtime.console;

import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.TestProgress;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.StopRule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Turns the master's records into {@link Progress}, which is handed on at most ten times a second.
 * Records and tests may come from several threads.
 */
public final class ProgressMeter implements Consumer<LogRecord> {
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

  /** Weight of the newest step in a worker's moving average. */
  private static final double NEWEST = 0.1;

  private final StopRule stop;
  private final int examples;
  private final int workers;
  private final boolean virtual;
  private final LongSupplier nanos;
  private final Consumer<Progress> sink;
  private final Map<Integer, Double> stepSeconds = new TreeMap<>();
  private Set<Integer> present;
  private int lost;
  private StepRecord last;
  private Progress.Score test;
  private Progress.Score best;
  private double bestMerit = Double.NEGATIVE_INFINITY;
  private TestProgress tests = TestProgress.NONE;
  private Progress.FinalTest finalTest;
  private long begun = Long.MIN_VALUE;
  private double shareAtBegin;
  private long handedOn = Long.MIN_VALUE;
  private boolean pending;

  /**
   * @param stop when training is over
   * @param examples size of the training set
   * @param workers number of workers at the start; 0 for local training
   * @param virtual whether the times of records are virtual
   * @param nanos a clock of real time
   * @param sink gets what is new
   */
  public ProgressMeter(
      StopRule stop,
      int examples,
      int workers,
      boolean virtual,
      LongSupplier nanos,
      Consumer<Progress> sink) {
    this.stop = stop;
    this.examples = examples;
    this.workers = workers;
    this.virtual = virtual;
    this.nanos = nanos;
    this.sink = sink;
  }

  @Override
  public synchronized void accept(LogRecord record) {
    if (record instanceof WorkerRecord worker) {
      stepSeconds.merge(
          worker.rank(),
          worker.computeTime(),
          (before, now) -> (1 - NEWEST) * before + NEWEST * now);
    } else if (record instanceof EvaluationRecord evaluation) {
      tested(evaluation);
    } else if (record instanceof EndRecord judged && test != null) {
      Map<String, Double> others = test.metrics() == null ? Map.of() : test.metrics();
      test = new Progress.Score(test.step(), test.loss(), test.accuracy(), judged.with(others));
      handOn(false);
    } else if (record instanceof MembershipRecord membership) {
      changed(membership.workers());
    } else if (record instanceof StepRecord step) {
      last = step;
      handOn(false);
    }
  }

  private void tested(EvaluationRecord evaluation) {
    test =
        new Progress.Score(
            evaluation.step(),
            finite(evaluation.testLoss()),
            finite(evaluation.accuracy()),
            evaluation.metrics().isEmpty() ? null : evaluation.metrics());
    tests = tests.with(evaluation, 0);
    if (best == null || evaluation.merit() > bestMerit) {
      bestMerit = evaluation.merit();
      best = test;
    }
    handOn(false);
  }

  /** Whether the newest test is of the parameters after a step. */
  public synchronized boolean hasTested(long step) {
    return test != null && test.step() == step;
  }

  private void changed(List<Integer> now) {
    Set<Integer> before = present == null ? Set.of() : present;
    lost += present == null ? workers - now.size() : 0;
    lost += (int) before.stream().filter(rank -> !now.contains(rank)).count();
    present = new HashSet<>(now);
    stepSeconds.keySet().retainAll(present);
    handOn(false);
  }

  /**
   * Records the progress of a test. Tests during training are not of the final parameters.
   *
   * @param done examples tested
   * @param of examples to test
   */
  public synchronized void testing(int done, int of) {
    if (last != null && isOver()) {
      finalTest = new Progress.FinalTest(done, of);
      handOn(false);
    }
  }

  private boolean isOver() {
    Double share = share();
    return share != null && share >= 1 || stop.endsAt(tests);
  }

  /** Passes on progress that has not been passed on. */
  public synchronized void finish() {
    if (pending) {
      handOn(true);
    }
  }

  private void handOn(boolean always) {
    long now = nanos.getAsLong();
    if (last == null) {
      return;
    }
    if (begun == Long.MIN_VALUE) {
      begun = now;
      shareAtBegin = orZero(share());
    }
    pending = !always && handedOn != Long.MIN_VALUE && now - handedOn < INTERVAL;
    if (!pending) {
      handedOn = now;
      sink.accept(progress(now));
    }
  }

  private Progress progress(long now) {
    Double share = share();
    double seconds = (now - begun) / 1e9;
    boolean timed = last.time() > 0;
    return new Progress(
        last.step(),
        stop.lastStep() > 0 ? stop.lastStep() : null,
        examples > 0 ? epochs() : null,
        share,
        share == null ? null : finite(StatusLine.secondsLeft(seconds, shareAtBegin, share)),
        last.time(),
        virtual,
        finite(last.loss()),
        last.metrics().isEmpty() ? null : last.metrics(),
        timed ? last.totalSamples() / last.time() : null,
        test,
        best,
        workers == 0 ? null : workers(),
        finalTest);
  }

  private double epochs() {
    return examples > 0 ? (double) last.totalSamples() / examples : 0;
  }

  private Progress.Workers workers() {
    Map.Entry<Integer, Double> slowest =
        stepSeconds.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
    return new Progress.Workers(
        present == null ? workers : present.size(),
        workers,
        lost,
        slowest == null ? null : slowest.getKey(),
        slowest == null ? null : slowest.getValue());
  }

  private Double share() {
    double steps = stop.lastStep() > 0 ? stop.lastStep() : Double.POSITIVE_INFINITY;
    double epochs = examples > 0 ? stop.maxEpochs() : Double.POSITIVE_INFINITY;
    boolean limited = !Double.isInfinite(Math.min(Math.min(steps, epochs), stop.maxTime()));
    if (!limited && !stop.budget().isLimit()) {
      return null;
    }
    double share = Math.max(last.step() / steps, epochs() / epochs);
    share = Math.max(share, stop.budget().share(last));
    return Math.min(1, Math.max(share, last.time() / stop.maxTime()));
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private static double orZero(Double value) {
    return value == null ? 0 : value;
  }
}
