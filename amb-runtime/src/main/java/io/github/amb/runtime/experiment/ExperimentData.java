package io.github.amb.runtime.experiment;

import io.github.amb.core.file.Json;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.plots.CsvLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** An experiment's numbers for other programs. */
final class ExperimentData {
  private ExperimentData() {}

  /** A line per run: the points of its variant, its seed, and a number per measure. */
  static String csv(Experiment experiment, ExperimentResults results) {
    List<String> head = new ArrayList<>(experiment.variants().get(0).points().keySet());
    head.add("seed");
    experiment.measures().forEach(measure -> head.add(measure.name()));
    head.add("state");
    StringBuilder text = new StringBuilder(CsvLine.of(head));
    for (ExperimentVariant variant : experiment.variants()) {
      for (int i = 0; i < experiment.seeds().size(); i++) {
        List<String> cells = new ArrayList<>(variant.points().values());
        cells.add(experiment.seeds().get(i).toString());
        for (RunMeasure measure : experiment.measures()) {
          double value = results.of(measure, variant)[i];
          cells.add(Double.isFinite(value) ? Double.toString(value) : "");
        }
        cells.add(results.outcomes(variant).get(i));
        text.append(CsvLine.of(cells));
      }
    }
    return text.toString();
  }

  /** Measures, comparisons and claims with their intervals; options and machine of the runs. */
  static String json(Experiment experiment, ExperimentResults results, RecordedRuns recorded)
      throws IOException {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", experiment.about().name());
    document.put("seeds", experiment.seeds());
    document.put("undone", undone(experiment, results));
    document.put(
        "measures",
        map(
            experiment.measures(),
            RunMeasure::name,
            measure ->
                map(
                    experiment.variants(),
                    ExperimentVariant::name,
                    variant -> measure(measure, variant, results))));
    document.put(
        "comparisons",
        map(
            experiment.comparisons(),
            PairedComparison::name,
            one -> map(results.rows(one), ExperimentResults.Row::name, row -> row(one, row))));
    document.put("claims", claims(experiment, results));
    if (experiment.budget().isLimit()) {
      document.put("budget", Map.of(experiment.budget().unit(), experiment.budget().amount()));
    }
    document.put("options", recorded.common());
    document.put("options_of_variants", recorded.variants());
    document.put("data", recorded.data());
    document.put("made_with", recorded.environment());
    return Json.document(document);
  }

  /** What has become of the runs that are not done, by variant. */
  private static Map<String, Object> undone(Experiment experiment, ExperimentResults results) {
    Map<String, Object> undone =
        map(experiment.variants(), ExperimentVariant::name, results::undone);
    undone.values().removeIf(""::equals);
    return undone;
  }

  private static <T> Map<String, Object> map(
      List<T> keys, Function<T, String> name, Function<T, Object> value) {
    Map<String, Object> map = new LinkedHashMap<>();
    keys.forEach(key -> map.put(name.apply(key), value.apply(key)));
    return map;
  }

  private static Map<String, Object> measure(
      RunMeasure measure, ExperimentVariant variant, ExperimentResults results) {
    Map<String, Object> fields = estimate(results.estimate(measure, variant));
    if (measure.hasTarget()) {
      fields.put("tests_apart", known(results.resolution(measure, variant)));
    }
    return fields;
  }

  private static Map<String, Object> row(PairedComparison comparison, ExperimentResults.Row row) {
    Map<String, Object> fields = estimate(row.estimate());
    fields.put("p_holm", known(row.p()));
    if (!comparison.best().isEmpty()) {
      fields.put("chosen", List.of(row.variant().name(), row.baseline().name()));
      fields.put("chosen_with", comparison.chosenWith());
    }
    return fields;
  }

  private static List<Object> claims(Experiment experiment, ExperimentResults results) {
    List<Object> claims = new ArrayList<>();
    for (NumericClaim claim : experiment.claims()) {
      PairedEstimate found = results.of(claim);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("of", claim.of());
      fields.put("variant", claim.variant());
      fields.put("says", claim.says());
      fields.put("low", known(claim.low()));
      fields.put("high", known(claim.high()));
      fields.put("authors", known(claim.authors()));
      fields.put("found", estimate(found));
      fields.put("holds", claim.holds(found.band().mean()));
      claims.add(fields);
    }
    return claims;
  }

  private static Map<String, Object> estimate(PairedEstimate estimate) {
    boolean interval = estimate.seeds() > 1;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("mean", known(estimate.band().mean()));
    fields.put("low", interval ? known(estimate.band().low()) : null);
    fields.put("high", interval ? known(estimate.band().high()) : null);
    fields.put("median", known(estimate.quartiles().median()));
    fields.put(
        "quartiles",
        interval ? List.of(estimate.quartiles().low(), estimate.quartiles().high()) : null);
    fields.put("seeds", estimate.seeds());
    return fields;
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
