package io.github.amb.plots.summary;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.WorkerTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/**
 * Each worker's time by use, and the slowest worker.
 *
 * @param ranks one per worker that has records, by rank
 */
public record RankTimes(List<Rank> ranks) {
  /** Maximum number of workers that are listed one by one. */
  private static final int MAX = 12;

  /**
   * One worker's times, means over its gradients, in seconds.
   *
   * @param rank the worker
   * @param compute computing, induced delay not included
   * @param sleep induced delay; NaN if it was not recorded
   * @param send sending; NaN if it was not recorded
   * @param idleShare share of its time spent waiting for parameters, 0 to 1; NaN if it was not
   *     recorded
   */
  public record Rank(int rank, double compute, double sleep, double send, double idleShare) {
    /** Seconds from the start of a computation to the end of sending. */
    public double busy() {
      return compute + known(sleep) + known(send);
    }
  }

  static RankTimes of(Run run) {
    List<Rank> ranks = new ArrayList<>();
    run.times().forEach((rank, time) -> ranks.add(rank(rank, time)));
    return new RankTimes(ranks);
  }

  private static Rank rank(int rank, WorkerTime time) {
    double count = time.gradients();
    return new Rank(
        rank,
        time.computing() / count,
        time.knowsSleep() ? time.sleep() / count : Double.NaN,
        time.knowsSend() ? time.send() / count : Double.NaN,
        time.idleShare());
  }

  /** The worker with the most busy seconds per gradient; null if there are none. */
  public Rank slowest() {
    return ranks.stream().max(Comparator.comparingDouble(Rank::busy)).orElse(null);
  }

  /**
   * The reason why the slowest worker is slow: the phase in which it is furthest above the median
   * of all workers.
   */
  public String reason() {
    Rank slowest = slowest();
    double compute = slowest.compute() - median(ranks.stream().map(Rank::compute).toList());
    double sleep =
        known(slowest.sleep()) - median(ranks.stream().map(r -> known(r.sleep())).toList());
    double send = known(slowest.send()) - median(ranks.stream().map(r -> known(r.send())).toList());
    if (compute >= sleep && compute >= send) {
      return "computing";
    }
    return sleep >= send ? "induced delay" : "sending";
  }

  private static double known(double seconds) {
    return Double.isNaN(seconds) ? 0 : seconds;
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }

  static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    for (SummaryRow row : summary.rows()) {
      if (!row.ranks().ranks().isEmpty()) {
        boolean known = row.ranks().ranks().stream().noneMatch(r -> Double.isNaN(r.idleShare()));
        String idle = known ? idle(row.ranks()) : "idle not recorded";
        notes.add(row.run() + ": " + idle + slowest(row.ranks()));
      }
    }
    return notes;
  }

  private static String idle(RankTimes times) {
    if (times.ranks().size() > MAX) {
      DoubleSummaryStatistics idle =
          times.ranks().stream().mapToDouble(RankTimes.Rank::idleShare).summaryStatistics();
      RankTimes.Rank busiest =
          times.ranks().stream()
              .min(Comparator.comparingDouble(RankTimes.Rank::idleShare))
              .orElseThrow();
      return format(
          "idle %.1f %% (worker %d) to %.1f %% of %d workers",
          100 * idle.getMin(), busiest.rank(), 100 * idle.getMax(), times.ranks().size());
    }
    List<String> shares =
        times.ranks().stream().map(rank -> format("%.1f", 100 * rank.idleShare())).toList();
    return "idle by worker (%) " + String.join(" ", shares);
  }

  private static String slowest(RankTimes times) {
    if (times.ranks().size() < 2) {
      return ".";
    }
    RankTimes.Rank slowest = times.slowest();
    double usual = median(times.ranks().stream().map(Rank::busy).toList());
    return format(
        "; slowest is worker %d, %.4g s per gradient against a median of %.4g s, longer in %s.",
        slowest.rank(), slowest.busy(), usual, times.reason());
  }
}
