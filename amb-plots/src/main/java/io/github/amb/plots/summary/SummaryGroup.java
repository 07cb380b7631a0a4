package io.github.amb.plots.summary;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.github.amb.core.statistic.Band;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs that differ only in seed, as one row of a table.
 *
 * @param label what the table calls them, with the number of seeds if there are several
 * @param rows one per seed
 * @param baseline the rows that speed-ups are over
 */
public record SummaryGroup(String label, List<SummaryRow> rows, List<SummaryRow> baseline) {
  /** The groups of runs, whose rows are in the order of {@code runs}. */
  static List<SummaryGroup> of(
      List<RunGroup> seeds, List<Run> runs, List<SummaryRow> rows, int baseline) {
    List<SummaryRow> base = List.of();
    for (RunGroup group : seeds) {
      if (group.runs().contains(runs.get(baseline))) {
        base = counted(rows(group, runs, rows));
      }
    }
    List<SummaryGroup> groups = new ArrayList<>();
    for (RunGroup group : seeds) {
      List<SummaryRow> own = rows(group, runs, rows);
      String label = own.size() == 1 ? own.get(0).run() : group.label();
      groups.add(new SummaryGroup(label, own, base));
    }
    return List.copyOf(groups);
  }

  private static List<SummaryRow> rows(RunGroup group, List<Run> runs, List<SummaryRow> rows) {
    return group.runs().stream().map(run -> rows.get(runs.indexOf(run))).toList();
  }

  /** Those that are done, whose numbers count; all if none is. */
  private static List<SummaryRow> counted(List<SummaryRow> rows) {
    List<SummaryRow> done = rows.stream().filter(SummaryRow::isDone).toList();
    return done.isEmpty() ? rows : done;
  }

  /** How the runs ended: done, or as "diverged, 1 of 3". */
  String state() {
    Stream<String> undone = rows.stream().filter(row -> !row.isDone()).map(SummaryRow::state);
    return rows.size() == 1 || rows.stream().allMatch(SummaryRow::isDone)
        ? rows.get(0).state()
        : counted(undone, rows.size());
  }

  /**
   * How often outcomes occur, as "diverged, 1 of 3"; empty if there are none.
   *
   * @param all number of runs, those of other outcomes included
   */
  public static String counted(Stream<String> outcomes, int all) {
    Map<String, Long> counts =
        outcomes.collect(groupingBy(outcome -> outcome, LinkedHashMap::new, counting()));
    return counts.entrySet().stream()
        .map(e -> "%s, %s of %s".formatted(e.getKey(), e.getValue(), all))
        .collect(joining("; "));
  }

  /** Mean over the seeds that are done; NaN if one of them has no value. */
  public double mean(ToDoubleFunction<SummaryRow> value) {
    return counted(rows).stream().mapToDouble(value).average().orElse(Double.NaN);
  }

  /**
   * Half the width of the interval around {@link #mean}: 95 % confidence of the mean (Student's t),
   * of two seeds from the smaller to the larger value; 0 of one.
   */
  public double half(ToDoubleFunction<SummaryRow> value) {
    Band band = Band.of(counted(rows).stream().mapToDouble(value).toArray());
    return (band.high() - band.low()) / 2;
  }

  /**
   * How many times less the group needs than the baseline, by the seeds of both; without such, of
   * their geometric means. NaN if they cannot be compared.
   */
  PairedEstimate speedUp(ToDoubleFunction<SummaryRow> seconds) {
    if (!isComparable()) {
      return PairedEstimate.of(new double[0]);
    }
    Map<Long, Double> over = bySeed(baseline, seconds);
    Map<Long, Double> own = bySeed(counted(rows), seconds);
    if (Collections.disjoint(over.keySet(), own.keySet())) {
      return PairedEstimate.ofRatios(geometricMean(over), geometricMean(own));
    }
    Set<Long> seeds = new TreeSet<>(own.keySet());
    seeds.retainAll(over.keySet());
    return PairedEstimate.ofRatios(
        seeds.stream().mapToDouble(over::get).toArray(),
        seeds.stream().mapToDouble(own::get).toArray());
  }

  private static Map<Long, Double> bySeed(
      List<SummaryRow> rows, ToDoubleFunction<SummaryRow> value) {
    return rows.stream()
        .collect(Collectors.toMap(SummaryRow::seed, value::applyAsDouble, (one, other) -> one));
  }

  private static double[] geometricMean(Map<Long, Double> values) {
    double[] logs = values.values().stream().mapToDouble(Math::log).toArray();
    return new double[] {Math.exp(Arrays.stream(logs).average().orElse(Double.NaN))};
  }

  /**
   * The speed-up with its interval, if there is one, and its number of seeds, if not all have it.
   */
  String speedUpCell(ToDoubleFunction<SummaryRow> seconds, DoubleFunction<String> format) {
    PairedEstimate found = speedUp(seconds);
    String mean = format.apply(found.band().mean());
    if (found.seeds() == 0 || rows.size() == 1) {
      return mean;
    }
    String interval =
        found.seeds() == 1
            ? ""
            : " (%s to %s)"
                .formatted(format.apply(found.band().low()), format.apply(found.band().high()));
    String some =
        found.seeds() == rows.size()
            ? ""
            : ", %s seed%s".formatted(found.seeds(), found.seeds() == 1 ? "" : "s");
    return mean + interval + some;
  }

  /** Whether its times are those of a virtual cluster. */
  boolean isVirtual() {
    return "sim".equals(rows.get(0).configuration().get("engine"));
  }

  boolean isComparable() {
    return rows.stream().allMatch(SummaryRow::comparable);
  }

  /** The mean as text, and what follows ± if there are several seeds, with as many decimals. */
  String cell(ToDoubleFunction<SummaryRow> value, DoubleFunction<String> format) {
    double mean = mean(value);
    String text = format.apply(mean);
    if (rows.size() == 1 || !Double.isFinite(mean) || half(value) == 0) {
      return text;
    }
    int decimals = new BigDecimal(text).scale();
    BigDecimal half = new BigDecimal(format.apply(half(value)));
    return text + " ±" + half.setScale(decimals, RoundingMode.UP).toPlainString();
  }
}
