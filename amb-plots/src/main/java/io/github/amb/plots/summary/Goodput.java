package io.github.amb.plots.summary;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.WorkerTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where a run's worker-seconds went: shares of the number of workers times the run's seconds, whose
 * sum is 1. NaN if they are unknown.
 *
 * @param goodput of the examples in updates, at the median computing time per example of all
 *     batches: what an ideal cluster, whose workers always compute at that speed, would need
 * @param slowShare computing that took longer than that; negative if most of it took less
 * @param delayedShare induced delays of results in updates
 * @param discardedShare computing and delays of results that no update used, as far as they are
 *     recorded
 * @param absentShare workers that were no members of the run
 * @param waitingShare all other time: for parameters, for messages, and for the update
 */
public record Goodput(
    double goodput,
    double slowShare,
    double delayedShare,
    double discardedShare,
    double absentShare,
    double waitingShare) {
  /** What the shares are called. */
  public static final List<String> NAMES =
      List.of("goodput", "waiting", "delays", "slow computing", "discarded", "absent");

  private static final Goodput UNKNOWN =
      new Goodput(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /** The shares of a run. */
  public static Goodput of(Run run) {
    WorkerTime spent = WorkerTime.of(run);
    List<StepRecord> steps = run.steps();
    List<WorkerRecord> used = run.workers();
    int workers = run.workerCount();
    List<Double> paces =
        used.stream()
            .filter(record -> record.numSamples() > 0)
            .map(record -> WorkerTime.of(record).computing() / record.numSamples())
            .toList();
    if (steps.isEmpty() || workers == 0 || paces.isEmpty() || run.isThinned()) {
      return UNKNOWN;
    }
    double pace = RankTimes.median(paces);
    double time = steps.get(steps.size() - 1).time();
    double all = workers * time;
    List<MembershipRecord> changes = LogRecord.of(MembershipRecord.class, run.master());
    double useful = pace * used.stream().mapToLong(WorkerRecord::numSamples).sum() / all;
    double slow = spent.computing() / all - useful;
    double delayed = spent.sleep() / all;
    double dropped =
        LogRecord.of(DropRecord.class, run.master()).stream()
                .filter(drop -> drop.time() <= time) // Others were computed after the end.
                .mapToDouble(DropRecord::computeTime)
                .sum()
            + pace * changes.stream().mapToLong(MembershipRecord::discarded).sum();
    double absent = 1 - workerSeconds(run, time) / all;
    double known = useful + slow + delayed + dropped / all + absent;
    return new Goodput(useful, slow, delayed, dropped / all, absent, 1 - known);
  }

  /** All shares in percent, in the order of {@link #NAMES}, without the noise of rounding. */
  public List<Double> percent() {
    return Stream.of(goodput, waitingShare, delayedShare, slowShare, discardedShare, absentShare)
        .map(share -> Math.rint(1e5 * share) / 1e3 + 0.0) // And -0.0 becomes 0.0.
        .toList();
  }

  /** Seconds of all workers that were members, from the start until {@code end}: what it costs. */
  static double workerSeconds(Run run, double end) {
    double sum = 0;
    double since = 0;
    int members = run.workerCount();
    for (MembershipRecord change : LogRecord.of(MembershipRecord.class, run.master())) {
      double time = Math.min(change.time(), end);
      sum += members * (time - since);
      since = time;
      members = change.workers().size();
    }
    return sum + members * (end - since);
  }

  static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    for (SummaryRow row : summary.rows()) {
      Goodput of = row.goodput();
      if (Double.isFinite(of.goodput)) {
        List<Double> all = of.percent();
        String others =
            IntStream.range(1, all.size())
                .mapToObj(i -> format("%.1f %% %s", all.get(i), NAMES.get(i)))
                .collect(Collectors.joining(", "));
        notes.add(
            format("%s: goodput %.1f %% of an ideal cluster; %s.", row.run(), all.get(0), others));
      }
    }
    return notes;
  }
}
