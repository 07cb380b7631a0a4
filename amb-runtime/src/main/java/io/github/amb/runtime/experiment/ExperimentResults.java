package io.github.amb.runtime.experiment;

import io.github.amb.core.record.LogRecord;
import io.github.amb.runtime.experiment.measure.NumericClaim;
import io.github.amb.runtime.experiment.measure.PairedComparison;
import io.github.amb.runtime.experiment.measure.PairedEstimate;
import io.github.amb.runtime.experiment.measure.Rounded;
import io.github.amb.runtime.experiment.measure.RunMeasure;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of an experiment's runs, and what is made of them. */
final class ExperimentResults {
  private final Experiment experiment;
  private final Map<RunMeasure, Map<ExperimentVariant, double[]>> values = new LinkedHashMap<>();

  ExperimentResults(Experiment experiment) {
    this.experiment = experiment;
    for (RunMeasure measure : experiment.measures()) {
      Map<ExperimentVariant, double[]> ofVariants = new LinkedHashMap<>();
      for (ExperimentVariant variant : experiment.variants()) {
        double[] ofSeeds = new double[experiment.seeds().size()];
        Arrays.fill(ofSeeds, Double.NaN);
        ofVariants.put(variant, ofSeeds);
      }
      values.put(measure, ofVariants);
    }
  }

  /** Reads the runs that are done. Others have no number. */
  static ExperimentResults read(Experiment experiment, List<ExperimentRun> runs)
      throws IOException {
    ExperimentResults results = new ExperimentResults(experiment);
    for (ExperimentRun run : runs) {
      List<LogRecord> master = run.hasRecords() ? run.directory().recordsWithAllTests() : List.of();
      for (RunMeasure measure : experiment.measures()) {
        results.put(measure, run.variant(), run.seed(), measure.of(master));
      }
    }
    return results;
  }

  void put(RunMeasure measure, ExperimentVariant variant, long seed, double value) {
    values.get(measure).get(variant)[experiment.seeds().indexOf(seed)] = value;
  }

  /** A number per seed, in the experiment's order; NaN for none. Not to be modified. */
  double[] of(RunMeasure measure, ExperimentVariant variant) {
    return values.get(measure).get(variant);
  }

  /** The mean over the seeds that have a number. */
  PairedEstimate estimate(RunMeasure measure, ExperimentVariant variant) {
    return PairedEstimate.of(
        Arrays.stream(of(measure, variant)).filter(Double::isFinite).toArray());
  }

  /**
   * A row of a comparison.
   *
   * @param name of the variant; without the axis whose best point was chosen
   * @param variant the one that was chosen
   * @param baseline what it is compared with
   * @param estimate of the comparison
   */
  record Row(
      String name,
      ExperimentVariant variant,
      ExperimentVariant baseline,
      PairedEstimate estimate) {}

  /** The rows of a comparison, in the experiment's order; none for baselines. */
  List<Row> rows(PairedComparison comparison) {
    Map<Map<String, String>, ExperimentVariant> chosen = chosen(comparison);
    return chosen.entrySet().stream()
        .filter(e -> !e.getKey().get(comparison.axis()).equals(comparison.baseline()))
        .map(e -> row(comparison, e.getKey(), e.getValue(), chosen))
        .toList();
  }

  private Row row(
      PairedComparison comparison,
      Map<String, String> points,
      ExperimentVariant variant,
      Map<Map<String, String>, ExperimentVariant> chosen) {
    Map<String, String> other = new LinkedHashMap<>(points);
    other.put(comparison.axis(), comparison.baseline());
    ExperimentVariant baseline = chosen.get(other);
    double[] first = of(comparison.measure(), variant);
    double[] second = of(comparison.measure(), baseline);
    String name = variant.nameWithout(comparison.best());
    return new Row(name, variant, baseline, comparison.of(first, second));
  }

  /** The variant of each combination of points, the best one along the axis that is chosen from. */
  private Map<Map<String, String>, ExperimentVariant> chosen(PairedComparison comparison) {
    Map<Map<String, String>, ExperimentVariant> chosen = new LinkedHashMap<>();
    for (ExperimentVariant variant : experiment.variants()) {
      Map<String, String> points = new LinkedHashMap<>(variant.points());
      points.remove(comparison.best());
      chosen.merge(points, variant, (one, next) -> better(comparison.measure(), one, next));
    }
    return chosen;
  }

  /** The one that more seeds have a number of, then the one with the better mean. */
  private ExperimentVariant better(
      RunMeasure measure, ExperimentVariant one, ExperimentVariant other) {
    PairedEstimate first = estimate(measure, one);
    PairedEstimate second = estimate(measure, other);
    if (first.seeds() != second.seeds()) {
      return first.seeds() > second.seeds() ? one : other;
    }
    double gain = second.band().mean() - first.band().mean();
    return (measure.of().moreIsBetter() ? gain > 0 : gain < 0) ? other : one;
  }

  /** The number that a claim is about. */
  PairedEstimate of(NumericClaim claim) {
    for (PairedComparison comparison : experiment.comparisons()) {
      if (comparison.name().equals(claim.of())) {
        return rows(comparison).stream()
            .filter(row -> row.name().equals(claim.variant()))
            .findFirst()
            .orElseThrow()
            .estimate();
      }
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
    return List.copyOf(broken.values());
  }

  /** How many seeds count, unless all or none do. */
  private String seeds(int counted) {
    int all = experiment.seeds().size();
    return counted == 0 || counted == all ? "" : ", of " + counted + " of " + all + " seeds";
  }
}
