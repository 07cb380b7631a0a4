package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.plots.summary.SummaryGroup;
import io.github.amb.runtime.experiment.RunMeasure.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The numbers of an experiment's runs, and what is made of them. */
final class ExperimentResults {
  /** Of a number at a target, the share that tests may be apart without a warning. */
  private static final double COARSE = 0.1;

  private static final String DONE = RunInfo.State.DONE.toString();

  private final Experiment experiment;

  /** What was measured, by measure, variant and seed. */
  private final Map<List<Object>, Measured> values = new HashMap<>();

  /** How runs have ended that are not done, by variant and seed. */
  private final Map<List<Object>, String> outcomes = new HashMap<>();

  ExperimentResults(Experiment experiment) {
    this.experiment = experiment;
  }

  /** Reads the runs. Those that are not done, or diverged, have no number. */
  static ExperimentResults read(Experiment experiment, List<ExperimentRun> runs)
      throws IOException {
    ExperimentResults results = new ExperimentResults(experiment);
    for (ExperimentRun run : runs) {
      String outcome = run.outcome();
      results.outcomes.put(List.of(run.variant(), run.seed()), outcome);
      if (outcome.equals(DONE) && run.hasRecords()) {
        List<LogRecord> master = run.directory().recordsWithAllTests().records();
        for (RunMeasure measure : experiment.measures()) {
          Measured number = measure.of(master, experiment.budget());
          results.values.put(List.of(measure, run.variant(), run.seed()), number);
        }
      }
    }
    return results;
  }

  void put(RunMeasure measure, ExperimentVariant variant, long seed, double value) {
    values.put(List.of(measure, variant, seed), new Measured(value, Double.NaN));
  }

  /** A number per seed, in the experiment's order; NaN for none. */
  double[] of(RunMeasure measure, ExperimentVariant variant) {
    return measured(measure, variant).mapToDouble(Measured::value).toArray();
  }

  private Stream<Measured> measured(RunMeasure measure, ExperimentVariant variant) {
    return experiment.seeds().stream()
        .map(seed -> values.getOrDefault(List.of(measure, variant, seed), Measured.NONE));
  }

  /** The same, without the seeds that are, or are not, in a list. */
  private double[] of(
      RunMeasure measure, ExperimentVariant variant, List<Long> seeds, boolean listed) {
    double[] all = of(measure, variant);
    Arrays.setAll(
        all, i -> seeds.contains(experiment.seeds().get(i)) == listed ? all[i] : Double.NaN);
    return all;
  }

  /** The mean over the seeds that have a number. */
  PairedEstimate estimate(RunMeasure measure, ExperimentVariant variant) {
    return estimate(of(measure, variant));
  }

  private static PairedEstimate estimate(double[] values) {
    return PairedEstimate.of(Arrays.stream(values).filter(Double::isFinite).toArray());
  }

  /** How each seed's run has ended: a {@link RunInfo.State}, or missing or unreadable. */
  List<String> outcomes(ExperimentVariant variant) {
    return experiment.seeds().stream()
        .map(seed -> outcomes.getOrDefault(List.of(variant, seed), DONE))
        .toList();
  }

  /** The runs of a variant that are not done, as "diverged, 3 of 3"; empty if all are. */
  String undone(ExperimentVariant variant) {
    Stream<String> outcomes = outcomes(variant).stream().filter(found -> !found.equals(DONE));
    return SummaryGroup.counted(outcomes, experiment.seeds().size());
  }

  /** How far tests are apart where a target is reached, mean over the seeds; NaN for none. */
  double resolution(RunMeasure measure, ExperimentVariant variant) {
    DoubleStream apart = measured(measure, variant).mapToDouble(Measured::resolution);
    return estimate(apart.toArray()).band().mean();
  }

  /** The measures whose tests are far apart for their numbers, a line each. */
  private List<String> coarse() {
    List<String> lines = new ArrayList<>();
    for (RunMeasure measure : experiment.measures()) {
      List<String> coarse =
          experiment.variants().stream()
              .filter(
                  one -> resolution(measure, one) > COARSE * estimate(measure, one).band().mean())
              .map(ExperimentVariant::name)
              .toList();
      if (!coarse.isEmpty()) {
        lines.add(
            "%s: where the target is reached, tests are more than 10 %% of the number apart for %s%s; test more often, or interpolate"
                .formatted(
                    measure.name(),
                    coarse.get(0),
                    coarse.size() == 1 ? "" : " and " + (coarse.size() - 1) + " more"));
      }
    }
    return lines;
  }

  /**
   * A row of a comparison.
   *
   * @param name of the variant; without the axis whose best point was chosen
   * @param variant the one that was chosen
   * @param baseline what it is compared with
   * @param estimate of the comparison
   * @param p the p-value of no difference, by Holm's correction for all rows; NaN if unknown
   */
  record Row(
      String name,
      ExperimentVariant variant,
      ExperimentVariant baseline,
      PairedEstimate estimate,
      double p) {}

  /** The rows of a comparison, in the experiment's order; none for baselines. */
  List<Row> rows(PairedComparison comparison) {
    Map<Map<String, String>, ExperimentVariant> chosen = chosen(comparison);
    List<Row> rows =
        chosen.entrySet().stream()
            .filter(e -> !e.getKey().get(comparison.axis()).equals(comparison.baseline()))
            .map(e -> row(comparison, e.getKey(), e.getValue(), chosen))
            .toList();
    return rows.stream()
        .map(row -> new Row(row.name, row.variant, row.baseline, row.estimate, holm(row.p, rows)))
        .toList();
  }

  /** Holm's step-down correction of one of several p-values; NaN does not count. */
  private static double holm(double p, List<Row> all) {
    return all.stream()
        .mapToDouble(Row::p)
        .filter(one -> one <= p)
        .map(one -> Math.min(1, one * all.stream().filter(row -> row.p() >= one).count()))
        .max()
        .orElse(Double.NaN);
  }

  private Row row(
      PairedComparison comparison,
      Map<String, String> points,
      ExperimentVariant variant,
      Map<Map<String, String>, ExperimentVariant> chosen) {
    Map<String, String> other = new LinkedHashMap<>(points);
    other.put(comparison.axis(), comparison.baseline());
    ExperimentVariant baseline = chosen.get(other);
    List<Long> others = comparison.chosenWith();
    double[] first = of(comparison.measure(), variant, others, false);
    double[] second = of(comparison.measure(), baseline, others, false);
    String name = variant.nameWithout(comparison.best());
    PairedEstimate found = comparison.of(first, second);
    return new Row(name, variant, baseline, found, found.p());
  }

  /** The variant of each combination of points, the best one along the axis that is chosen from. */
  private Map<Map<String, String>, ExperimentVariant> chosen(PairedComparison comparison) {
    Map<Map<String, String>, ExperimentVariant> chosen = new LinkedHashMap<>();
    for (ExperimentVariant variant : experiment.variants()) {
      Map<String, String> points = new LinkedHashMap<>(variant.points());
      points.remove(comparison.best());
      chosen.merge(points, variant, (one, next) -> better(comparison, one, next));
    }
    return chosen;
  }

  /**
   * The one that more seeds have a number of, then the one with the better mean, then the one with
   * the better mean of another measure, then the first.
   */
  private ExperimentVariant better(
      PairedComparison comparison, ExperimentVariant one, ExperimentVariant other) {
    Comparator<ExperimentVariant> order = order(comparison.measure(), comparison.chosenWith());
    for (RunMeasure measure : experiment.measures()) {
      order = order.thenComparing(order(measure, comparison.chosenWith()));
    }
    return order.compare(one, other) >= 0 ? one : other;
  }

  private Comparator<ExperimentVariant> order(RunMeasure measure, List<Long> seeds) {
    Function<ExperimentVariant, PairedEstimate> found =
        one -> estimate(of(measure, one, seeds, !seeds.isEmpty()));
    ToDoubleFunction<ExperimentVariant> mean = one -> found.apply(one).band().mean();
    double sign = measure.of().moreIsBetter() ? 1 : -1;
    return Comparator.<ExperimentVariant>comparingInt(one -> found.apply(one).seeds())
        .thenComparingDouble(
            one -> found.apply(one).seeds() == 0 ? 0 : sign * mean.applyAsDouble(one));
  }

  /** The points that the best one of a comparison is chosen from; none if none is. */
  List<String> grid(PairedComparison comparison) {
    return experiment.variants().stream()
        .map(one -> one.points().getOrDefault(comparison.best(), ""))
        .filter(point -> !point.isEmpty())
        .distinct()
        .toList();
  }

  /** What a reader should know of the numbers, a line each. */
  List<String> warnings() {
    List<String> lines = coarse();
    for (PairedComparison comparison : experiment.comparisons()) {
      String axis = comparison.best();
      for (ExperimentVariant best : chosen(comparison).values()) {
        List<ExperimentVariant> line =
            experiment.variants().stream()
                .filter(one -> one.nameWithout(axis).equals(best.nameWithout(axis)))
                .toList();
        double place = numeric(best.points().get(axis));
        double[] points =
            line.stream().mapToDouble(one -> numeric(one.points().get(axis))).toArray();
        if (points.length > 1
            && (Arrays.stream(points).allMatch(x -> x <= place)
                || Arrays.stream(points).allMatch(x -> x >= place))) {
          lines.add(
              "%s: %s is at an end of %s, beyond which a better point may be"
                  .formatted(comparison.name(), best.name(), axis));
        }
        String tied =
            line.stream()
                .filter(one -> one != best && isTied(comparison, best, one))
                .map(one -> one.points().get(axis))
                .collect(Collectors.joining(", "));
        if (!tied.isEmpty()) {
          lines.add(
              "%s: %s is the best of %s by chance, maybe: its interval does not tell it from %s"
                  .formatted(comparison.name(), best.name(), axis, tied));
        }
      }
    }
    return lines;
  }

  /** Whether the interval over the seeds that choose has no difference in it. */
  private boolean isTied(
      PairedComparison comparison, ExperimentVariant best, ExperimentVariant other) {
    List<Long> seeds = comparison.chosenWith();
    double[] first = of(comparison.measure(), best, seeds, !seeds.isEmpty());
    double[] second = of(comparison.measure(), other, seeds, !seeds.isEmpty());
    PairedEstimate found = PairedEstimate.ofDifferences(first, second);
    return found.seeds() > 1 && found.band().low() <= 0 && found.band().high() >= 0;
  }

  /** A point's place on its axis; NaN if its name is no number. */
  static double numeric(String point) {
    return point == null ? Double.NaN : Decimal.any(point, Double.NaN);
  }

  /** The runs of a row that are not done; empty if all are. */
  String undone(Row row) {
    String own = undone(row.variant());
    String other = undone(row.baseline());
    return own.isEmpty() && !other.isEmpty() ? "baseline " + other : own;
  }

  /** The runs of a claim that are not done; empty if all are. */
  String undone(NumericClaim claim) {
    return row(claim).map(this::undone).orElseGet(() -> undone(variant(claim.variant())));
  }

  /** The row of a comparison that a claim is about; none if it is about a measure. */
  private Optional<Row> row(NumericClaim claim) {
    return experiment.comparisons().stream()
        .filter(comparison -> comparison.name().equals(claim.of()))
        .flatMap(comparison -> rows(comparison).stream())
        .filter(row -> row.name().equals(claim.variant()))
        .findFirst();
  }

  /** The number that a claim is about. */
  PairedEstimate of(NumericClaim claim) {
    Optional<Row> row = row(claim);
    if (row.isPresent()) {
      return row.get().estimate();
    }
    RunMeasure measure =
        experiment.measures().stream()
            .filter(one -> one.name().equals(claim.of()))
            .findFirst()
            .orElseThrow();
    return estimate(measure, variant(claim.variant()));
  }

  private ExperimentVariant variant(String name) {
    return experiment.variants().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The variants of a claimed order as they were found to be, the best one first; those without a
   * number last.
   */
  List<String> found(ClaimedOrder claim) {
    RunMeasure measure = claim.of().measure();
    String best = claim.of().best();
    return chosen(claim.of()).values().stream()
        .filter(one -> claim.variants().contains(one.nameWithout(best)))
        .sorted(order(measure, List.of()).reversed())
        .map(one -> one.nameWithout(best) + (estimate(measure, one).seeds() == 0 ? " (none)" : ""))
        .toList();
  }

  /** Whether variants are in the claimed order; the last one may have no number. */
  boolean holds(ClaimedOrder claim) {
    List<String> found = found(claim);
    int last = Math.max(0, found.size() - 1);
    return found.subList(0, last).equals(claim.variants().subList(0, last));
  }

  /** The claims that do not hold, a line each, by file and line. */
  List<String> broken() {
    Map<String, String> broken = new TreeMap<>();
    for (NumericClaim claim : experiment.claims()) {
      PairedEstimate found = of(claim);
      double mean = found.band().mean();
      if (!claim.holds(mean)) {
        broken.put(
            claim.place(),
            "%s: %s of %s: expected %s to %s, found %s%s"
                .formatted(
                    claim.place(),
                    claim.of(),
                    claim.variant(),
                    Rounded.of(claim.low()),
                    Rounded.of(claim.high()),
                    Double.isNaN(mean) ? "none" : Rounded.of(mean),
                    seeds(found.seeds())));
      }
    }
    for (ClaimedOrder order : experiment.orders()) {
      if (!holds(order)) {
        broken.put(
            order.place(),
            "%s: order of %s: expected %s, found %s"
                .formatted(order.place(), order.of().name(), order.variants(), found(order)));
      }
    }
    return List.copyOf(broken.values());
  }

  /** How many seeds count, unless all or none do. */
  private String seeds(int counted) {
    int all = experiment.seeds().size();
    return counted == 0 || counted == all ? "" : ", of " + counted + " of " + all + " seeds";
  }
}
