package io.github.amb.plots.summary;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EndRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunLabels;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.run.WorkerTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A comparison of runs.
 *
 * @param aim what {@code timeToTarget} is for
 * @param baseline index of the row that speed-ups are over: the one chosen, else the first run of
 *     {@code fmb} or {@code sync} with steps, or the first run with steps
 * @param rows one per run, in the order given
 * @param groups rows of runs that differ only in seed, in the order of their first rows
 */
public record Summary(
    SummaryTarget aim, int baseline, List<SummaryRow> rows, List<SummaryGroup> groups) {

  /**
   * Reads runs and compares them.
   *
   * @param runs one or more run directories
   * @param target what to measure the time to
   * @param baseline label, directory, scheme or part of the label of the baseline; null for the
   *     usual one
   * @throws UsageException if there is no run, one cannot be read, or no run, or more than one
   *     group of runs, fits the baseline
   */
  public static Summary of(List<RunDirectory> runs, SummaryTarget target, String baseline) {
    if (runs.isEmpty()) {
      throw new UsageException("expected one or more run directories, found none");
    }
    return compare(RunReader.readAll(runs), target, baseline);
  }

  /**
   * Compares runs.
   *
   * @param runs one or more
   * @param given what to measure the time to
   * @param wanted the baseline as for {@link #of}; null for the usual one
   */
  public static Summary compare(List<Run> runs, SummaryTarget given, String wanted) {
    SummaryTarget target = given.orReachedByAll(runs);
    List<String> labels = RunLabels.of(runs);
    List<RunGroup> seeds = RunGroup.of(runs);
    int baseline = wanted == null ? baseline(runs) : Baseline.find(wanted, runs, labels, seeds);
    Map<Long, SummaryRow> base = baseline(seeds, runs.get(baseline), target);
    List<SummaryRow> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      boolean comparable = Baseline.isComparable(runs.get(i), runs.get(baseline));
      SummaryRow over =
          base.getOrDefault(runs.get(i).info().seed(), base.get(runs.get(baseline).info().seed()));
      rows.add(row(runs.get(i), labels.get(i), target, over, comparable));
    }
    return new Summary(
        target, baseline, List.copyOf(rows), SummaryGroup.of(seeds, runs, rows, baseline));
  }

  /** The rows of the baseline and of the runs that differ from it only in seed, by seed. */
  private static Map<Long, SummaryRow> baseline(
      List<RunGroup> seeds, Run baseline, SummaryTarget target) {
    return seeds.stream()
        .filter(group -> group.runs().contains(baseline))
        .flatMap(group -> group.runs().stream())
        .collect(
            Collectors.toMap(
                run -> run.info().seed(), run -> row(run, run.id(), target, null, true)));
  }

  private static int baseline(List<Run> runs) {
    List<Run> begun = runs.stream().filter(run -> !run.steps().isEmpty()).toList();
    return begun.stream()
        .filter(run -> List.of("fmb", "sync").contains(run.info().configured("scheme", "")))
        .findFirst()
        .or(() -> begun.stream().findFirst())
        .map(runs::indexOf)
        .orElse(0);
  }

  /**
   * A null baseline makes the speed-ups NaN, and so does one that a run cannot be compared with.
   */
  private static SummaryRow row(
      Run run, String label, SummaryTarget target, SummaryRow baseline, boolean comparable) {
    SummaryRow over = comparable ? baseline : null;
    StepRecord last = run.lastStep();
    RunInfo.State state = run.info().state();
    boolean counts = state != RunInfo.State.DIVERGED;
    double time = last == null || !counts ? Double.NaN : last.time();
    long steps = last == null ? 0 : last.step();
    long examples = last == null ? 0 : last.totalSamples();
    double rate = examples == 0 ? Double.NaN : examples / time;
    List<EvaluationRecord> tests = counts ? run.evaluations() : List.of();
    SummaryTarget.Reached reached = target.reached(tests);
    WorkerTime workers = WorkerTime.of(run);
    return new SummaryRow(
        label,
        run.id(),
        run.info().seed(),
        run.workerCount(),
        state.toString(),
        time,
        steps,
        examples,
        last(tests, EvaluationRecord::accuracy),
        finite(tests, EvaluationRecord::accuracy).max().orElse(Double.NaN),
        last(tests, EvaluationRecord::testLoss),
        finite(tests, EvaluationRecord::testLoss).min().orElse(Double.NaN),
        metrics(run, tests),
        reached.time(),
        reached.apart(),
        time / steps,
        rate,
        over == null ? Double.NaN : over.timeToTarget() / reached.time(),
        over == null ? Double.NaN : rate / over.examplesPerSecond(),
        workers.idleShare(),
        workers.sleepShare(),
        Goodput.of(run),
        Goodput.workerSeconds(run, reached.time()),
        RankTimes.of(run),
        LostTime.of(run),
        comparable,
        run.info().configuration());
  }

  /** Further numbers of the newest test, and those of the test part if it was kept apart. */
  private static Map<String, Double> metrics(Run run, List<EvaluationRecord> tests) {
    Map<String, Double> metrics = newest(tests).map(EvaluationRecord::metrics).orElse(Map.of());
    List<EndRecord> judged = LogRecord.of(EndRecord.class, run.master());
    return judged.isEmpty() ? metrics : judged.get(judged.size() - 1).with(metrics);
  }

  private static double last(
      List<EvaluationRecord> tests, ToDoubleFunction<EvaluationRecord> value) {
    return newest(tests).map(value::applyAsDouble).orElse(Double.NaN);
  }

  private static Optional<EvaluationRecord> newest(List<EvaluationRecord> tests) {
    return tests.stream().max(Comparator.comparingLong(EvaluationRecord::step));
  }

  private static DoubleStream finite(
      List<EvaluationRecord> tests, ToDoubleFunction<EvaluationRecord> value) {
    return tests.stream().mapToDouble(value).filter(Double::isFinite);
  }

  /** The accuracy that {@code timeToTarget} is for, 0 to 1; empty if it is for none. */
  public OptionalDouble target() {
    return aim.ofLoss() ? OptionalDouble.empty() : aim.value();
  }

  /** Whether the user chose the target. */
  public boolean targetGiven() {
    return aim.given();
  }
}
