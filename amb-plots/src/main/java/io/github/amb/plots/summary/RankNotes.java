package io.github.amb.plots.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** A line or two per run on its workers: idle shares, and the slowest worker. */
final class RankNotes {
  /** Maximum number of workers that are listed one by one. */
  private static final int MOST = 12;

  private RankNotes() {}

  static List<String> of(Summary summary) {
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
    if (times.ranks().size() > MOST) {
      DoubleSummaryStatistics idle =
          times.ranks().stream().mapToDouble(RankTimes.Rank::idleShare).summaryStatistics();
      RankTimes.Rank busiest =
          times.ranks().stream()
              .min(Comparator.comparingDouble(RankTimes.Rank::idleShare))
              .orElseThrow();
      return String.format(
          Locale.ROOT,
          "idle %.1f %% (worker %d) to %.1f %% of %d workers",
          100 * idle.getMin(),
          busiest.rank(),
          100 * idle.getMax(),
          times.ranks().size());
    }
    List<String> shares =
        times.ranks().stream()
            .map(rank -> String.format(Locale.ROOT, "%.1f", 100 * rank.idleShare()))
            .toList();
    return "idle by worker (%) " + String.join(" ", shares);
  }

  private static String slowest(RankTimes times) {
    if (times.ranks().size() < 2) {
      return ".";
    }
    RankTimes.Rank slowest = times.slowest();
    return String.format(
        Locale.ROOT,
        "; slowest is worker %d, %.4g s per gradient against a median of %.4g s, longer in %s.",
        slowest.rank(),
        slowest.busy(),
        times.medianBusy(),
        times.reason());
  }
}
