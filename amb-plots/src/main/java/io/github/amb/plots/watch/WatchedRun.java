package io.github.amb.plots.watch;

import io.github.amb.core.file.Folder;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.figure.Span;
import io.github.amb.plots.figure.Spans;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What the page shows of a run, from the records read so far. Memory is bounded but for tests. */
final class WatchedRun {
  private static final int RECENT = 30;

  /** Workers whose phases fit on a page. */
  private static final int MAX_LINES = 32;

  final ThinnedCurve losses = new ThinnedCurve();
  private final NavigableMap<Long, EvaluationRecord> tests = new TreeMap<>();
  private final Map<Integer, WatchedWorker> workers = new TreeMap<>();
  private final Deque<StepRecord> recent = new ArrayDeque<>();
  final WatchedEvents events;

  /** The last update; null if there is none. */
  StepRecord last;

  /** Number of tests that came after one of the same step or a later one. */
  int lateTests;

  /**
   * @param workers number of workers at the start
   */
  WatchedRun(int workers) {
    events = new WatchedEvents(workers);
  }

  /** Number of workers that a run was configured with; 0 if unknown. */
  static int workers(RunInfo info) {
    double configured = number(info, "workers");
    return configured >= 0 && configured < 1e6 ? (int) configured : 0;
  }

  /** The value of an option; NaN if it is not a number. */
  static double number(RunInfo info, String option) {
    return Decimal.any(info.configured(option, ""), Double.NaN);
  }

  /** The names of a run's checkpoints, such as {@code step-100} and {@code best-80}. */
  static List<String> checkpoints(RunDirectory directory) throws IOException {
    if (!Files.isDirectory(directory.checkpoints())) {
      return List.of();
    }
    return Folder.names(directory.checkpoints()).stream()
        .filter(name -> name.matches("(step|best)-\\d{1,15}"))
        .toList();
  }

  /** The step in the name of a checkpoint. */
  static long step(String checkpoint) {
    return Long.parseLong(checkpoint.substring(checkpoint.indexOf('-') + 1));
  }

  void add(LogRecord record) {
    if (record instanceof StepRecord step) {
      losses.add(step.time(), step.step(), step.loss(), step.totalSamples());
      last = step;
      recent.add(step);
      if (recent.size() > RECENT) {
        recent.remove();
      }
    } else if (record instanceof EvaluationRecord evaluation) {
      lateTests += tests.isEmpty() || tests.lastKey() < evaluation.step() ? 0 : 1;
      tests.merge(evaluation.step(), evaluation, EvaluationRecord::larger);
    } else if (record instanceof WorkerRecord result) {
      worker(result.rank()).add(result);
    } else if (record instanceof DropRecord drop) {
      worker(drop.rank()).addDrop();
    } else if (record instanceof MembershipRecord change) {
      events.add(change);
    } else if (record instanceof SlowRecord slow) {
      events.add(slow);
    }
  }

  private WatchedWorker worker(int rank) {
    return workers.computeIfAbsent(rank, r -> new WatchedWorker());
  }

  /**
   * By step the accuracies, or the losses where there is no accuracy; of two tests of a step, the
   * one on more examples.
   */
  ThinnedCurve tests() {
    ThinnedCurve curve = new ThinnedCurve();
    tests
        .values()
        .forEach(
            test ->
                curve.add(
                    test.time(),
                    test.step(),
                    Double.isNaN(test.accuracy()) ? test.testLoss() : test.accuracy(),
                    0));
    return curve;
  }

  /** The test of the highest step; null if there is none. */
  EvaluationRecord test() {
    return tests.isEmpty() ? null : tests.lastEntry().getValue();
  }

  /** The largest of a number of the tests so far; NaN if there is none. */
  double largest(ToDoubleFunction<EvaluationRecord> number) {
    return tests.values().stream()
        .mapToDouble(number)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }

  /** Examples per second in the newest updates; NaN if there are fewer than two. */
  double speed() {
    if (recent.size() < 2) {
      return Double.NaN;
    }
    StepRecord first = recent.peek();
    return (last.totalSamples() - first.totalSamples()) / (last.time() - first.time());
  }

  /** Updates per second in the newest updates; NaN if there are fewer than two. */
  double stepsPerSecond() {
    return recent.size() < 2
        ? Double.NaN
        : (last.step() - recent.peek().step()) / (last.time() - recent.peek().time());
  }

  List<WatchedWorker.Row> rows() {
    double fastest =
        workers.values().stream().mapToDouble(WatchedWorker::speed).max().orElse(Double.NaN);
    return workers.entrySet().stream()
        .map(
            entry ->
                entry.getValue().row(entry.getKey(), fastest, events.isPresent(entry.getKey())))
        .toList();
  }

  /** Phases of the first workers during the newest updates. */
  List<Span> spans(RunDirectory directory, RunInfo info) {
    List<WorkerRecord> results = new ArrayList<>();
    workers.values().stream().limit(MAX_LINES).forEach(worker -> results.addAll(worker.recent()));
    double begin = recent.isEmpty() ? 0 : recent.peek().time();
    List<LogRecord> steps = List.copyOf(recent);
    return Spans.of(new Run(directory, info, steps, results, workers.size())).stream()
        .filter(span -> span.start() >= begin)
        .toList();
  }
}
