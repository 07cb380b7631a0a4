package io.github.amb.plots.summary;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunLabels;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.run.WorkerTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A comparison of runs.
 *
 * @param target accuracy that {@code timeToTarget} is for, 0 to 1; empty if there is none
 * @param targetGiven whether the user chose the target; else it is the highest round one that all
 *     runs reached
 * @param baseline index of the row that speed-ups are over: the one chosen, else the first run of
 *     {@code fmb} or {@code sync} with steps, or the first run with steps
 * @param rows one per run, in the order given
 * @param groups rows of runs that differ only in seed, in the order of their first rows
 */
public record Summary(
    OptionalDouble target,
    boolean targetGiven,
    int baseline,
    List<SummaryRow> rows,
    List<SummaryGroup> groups) {

  /**
   * Reads runs and compares them.
   *
   * @param runs one or more run directories
   * @param target accuracy to measure the time to, above 0 and at most 1; empty to choose the
   *     highest of 0.99, 0.98, 0.97, 0.95, 0.9, 0.8, … that all runs with evaluations reached
   * @param baseline label, directory, scheme or part of the label of the baseline; null for the
   *     usual one
   * @throws UsageException if there is no run, one cannot be read, the target is out of range, or
   *     no run, or more than one group of runs, fits the baseline
   */
  public static Summary of(List<RunDirectory> runs, OptionalDouble target, String baseline) {
    if (runs.isEmpty()) {
      throw new UsageException("expected one or more run directories, found none");
    }
    if (target.isPresent() && !(target.getAsDouble() > 0 && target.getAsDouble() <= 1)) {
      throw new UsageException(
          "--target-accuracy: expected a share above 0, at most 1, found " + target.getAsDouble());
    }
    return compare(RunReader.readAll(runs), target, baseline);
  }

  /**
   * Compares runs.
   *
   * @param runs one or more
   * @param given accuracy to measure the time to, above 0 and at most 1; empty to choose one
   * @param wanted the baseline as for {@link #of}; null for the usual one
   */
  public static Summary compare(List<Run> runs, OptionalDouble given, String wanted) {
    OptionalDouble target = given.isPresent() ? given : TargetAccuracy.reachedByAll(runs);
    List<String> labels = RunLabels.of(runs);
    List<RunGroup> seeds = RunGroup.of(runs);
    int baseline = wanted == null ? baseline(runs) : Baseline.find(wanted, runs, labels, seeds);
    SummaryRow base = row(runs.get(baseline), labels.get(baseline), target, null, true);
    List<SummaryRow> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      boolean comparable = Baseline.isComparable(runs.get(i), runs.get(baseline));
      rows.add(row(runs.get(i), labels.get(i), target, base, comparable));
    }
    return new Summary(
        target,
        given.isPresent(),
        baseline,
        List.copyOf(rows),
        SummaryGroup.of(seeds, runs, rows, baseline));
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
      Run run, String label, OptionalDouble target, SummaryRow baseline, boolean comparable) {
    SummaryRow over = comparable ? baseline : null;
    StepRecord last = run.lastStep();
    double time = last == null ? Double.NaN : last.time();
    long steps = last == null ? 0 : last.step();
    long examples = last == null ? 0 : last.totalSamples();
    double rate = examples == 0 ? Double.NaN : examples / time;
    double toTarget =
        target.isPresent()
            ? TargetAccuracy.timeTo(run.evaluations(), target.getAsDouble())
            : Double.NaN;
    WorkerTime workers = WorkerTime.of(run.workers());
    return new SummaryRow(
        label,
        run.id(),
        run.workerCount(),
        time,
        steps,
        examples,
        finalAccuracy(run),
        bestAccuracy(run),
        toTarget,
        time / steps,
        rate,
        over == null ? Double.NaN : over.timeToTarget() / toTarget,
        over == null ? Double.NaN : rate / over.examplesPerSecond(),
        workers.idleShare(),
        workers.sleepShare(),
        RankTimes.of(run),
        LostTime.of(run),
        comparable,
        run.info().configuration());
  }

  private static double finalAccuracy(Run run) {
    return run.evaluations().stream()
        .max(Comparator.comparingLong(EvaluationRecord::step))
        .map(EvaluationRecord::accuracy)
        .orElse(Double.NaN);
  }

  private static double bestAccuracy(Run run) {
    return run.evaluations().stream()
        .mapToDouble(EvaluationRecord::accuracy)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }
}
