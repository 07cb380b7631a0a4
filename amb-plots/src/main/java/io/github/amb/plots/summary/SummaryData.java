package io.github.amb.plots.summary;

import io.github.amb.core.file.Json;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.plots.CsvLine;
import io.github.amb.plots.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** A summary for other programs. */
public final class SummaryData {
  private SummaryData() {}

  private static final Map<String, ToDoubleFunction<SummaryRow>> NUMBERS = new LinkedHashMap<>();

  static {
    NUMBERS.put("time", SummaryRow::time);
    NUMBERS.put("final_accuracy", SummaryRow::finalAccuracy);
    NUMBERS.put("best_accuracy", SummaryRow::bestAccuracy);
    NUMBERS.put("final_loss", SummaryRow::finalLoss);
    NUMBERS.put("best_loss", SummaryRow::bestLoss);
    NUMBERS.put("time_to_target", SummaryRow::timeToTarget);
    NUMBERS.put("tests_apart", SummaryRow::testsApart);
    NUMBERS.put("examples_per_second", SummaryRow::examplesPerSecond);
    NUMBERS.put("idle_share", SummaryRow::idleShare);
    NUMBERS.put("goodput", row -> row.goodput().goodput());
    NUMBERS.put("worker_seconds_to_target", SummaryRow::workerSecondsToTarget);
  }

  private static String text(Object value) {
    return value == null ? "" : PlainText.inOneLine(value.toString());
  }

  /** All of it as JSON. */
  public static String json(Summary summary) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put(
        "target_accuracy", summary.target().isPresent() ? summary.target().getAsDouble() : null);
    document.put(
        "target_loss", summary.aim().ofLoss() ? summary.aim().value().getAsDouble() : null);
    document.put("interpolated", summary.aim().interpolates());
    document.put("baseline", summary.rows().get(summary.baseline()).run());
    document.put("runs", summary.rows().stream().map(SummaryData::fields).toList());
    document.put("groups", summary.groups().stream().map(SummaryData::fields).toList());
    return Json.document(document);
  }

  private static Map<String, Object> fields(SummaryRow row) {
    Map<String, Object> fields = row.fields();
    fields.put("metrics", row.metrics());
    fields.put("ranks", row.ranks().ranks().stream().map(SummaryData::fields).toList());
    fields.put("configuration", new TreeMap<>(row.configuration()));
    return fields;
  }

  /** Runs that differ only in seed: each number's mean, and half the width of its interval. */
  private static Map<String, Object> fields(SummaryGroup group) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("label", group.label());
    fields.put("runs", group.rows().stream().map(SummaryRow::id).toList());
    fields.put("state", group.state());
    NUMBERS.forEach(
        (name, value) -> {
          double mean = group.mean(value);
          fields.put(name, SummaryRow.known(mean));
          fields.put(name + "_half", Double.isFinite(mean) ? group.half(value) : null);
        });
    fields.put("speed_up_to_target", estimate(group.speedUp(SummaryRow::timeToTarget)));
    fields.put("speed_up_examples", estimate(group.speedUp(row -> 1 / row.examplesPerSecond())));
    return fields;
  }

  private static Map<String, Object> estimate(PairedEstimate estimate) {
    boolean interval = estimate.seeds() > 1;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("mean", SummaryRow.known(estimate.band().mean()));
    fields.put("low", interval ? SummaryRow.known(estimate.band().low()) : null);
    fields.put("high", interval ? SummaryRow.known(estimate.band().high()) : null);
    fields.put("seeds", estimate.seeds());
    return fields;
  }

  private static Map<String, Object> fields(RankTimes.Rank rank) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rank", rank.rank());
    fields.put("compute_time", rank.compute());
    fields.put("sleep_time", SummaryRow.known(rank.sleep()));
    fields.put("send_time", SummaryRow.known(rank.send()));
    fields.put("idle_share", SummaryRow.known(rank.idleShare()));
    return fields;
  }

  /** A row for each run as CSV. */
  public static String csv(Summary summary) {
    List<String> header = new ArrayList<>(summary.rows().get(0).fields().keySet());
    header.addAll(List.of("target_accuracy", "target_loss"));
    TreeSet<String> options = new TreeSet<>();
    summary.rows().forEach(row -> options.addAll(row.configuration().keySet()));
    TreeSet<String> metrics = new TreeSet<>();
    summary.rows().forEach(row -> metrics.addAll(row.metrics().keySet()));
    metrics.forEach(metric -> header.add("metric_" + metric));
    options.forEach(option -> header.add("option_" + option.replace('-', '_')));
    StringBuilder text = new StringBuilder(CsvLine.of(header));
    for (SummaryRow row : summary.rows()) {
      List<Object> values = new ArrayList<>(row.fields().values());
      values.add(summary.target().orElse(Double.NaN));
      values.add(summary.aim().ofLoss() ? summary.aim().value().getAsDouble() : Double.NaN);
      metrics.forEach(metric -> values.add(row.metrics().getOrDefault(metric, Double.NaN)));
      options.forEach(option -> values.add(text(row.configuration().get(option))));
      text.append(CsvLine.of(values));
    }
    return text.toString();
  }
}
