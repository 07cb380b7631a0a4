package io.github.amb.plots.summary;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The columns of a summary for people: headings, cells, and explanations. */
public final class SummaryColumns {
  /** Of a time to a target, the share that tests may be apart without a warning. */
  private static final double COARSE = 0.1;

  /** The column of what is not done; there is none if all is. */
  static final String STATE = "state";

  /** The columns of the metrics of the runs' models, one each. */
  private static final String METRICS = "metrics";

  private static final String ACCURACIES = "accuracy";

  private static final String UNKNOWN = "–";
  private static final DoubleFunction<String> NUMBER = SummaryColumns::number;
  private static final DoubleFunction<String> ACCURACY = as("%.4f");
  private static final DoubleFunction<String> METRIC = as("%.4g");
  private static final DoubleFunction<String> RATIO = as("%.2f");
  private static final DoubleFunction<String> PERCENT = share -> as("%.1f").apply(100 * share);

  private SummaryColumns() {}

  /** What the user types for each column. */
  public static List<String> keys() {
    return columns("target", Set.of(METRICS)).stream().map(Column::key).toList();
  }

  /** The columns of these keys that a summary has: a heading each, then the cells of each group. */
  public static List<List<String>> table(Summary summary, List<String> keys) {
    List<Column<SummaryGroup>> columns =
        columns(summary).stream().filter(column -> keys.contains(column.key())).toList();
    List<List<String>> table = new ArrayList<>();
    table.add(columns.stream().map(Column::title).toList());
    for (SummaryGroup group : summary.groups()) {
      table.add(columns.stream().map(column -> column.cell().apply(group)).toList());
    }
    return table;
  }

  static List<Column<SummaryGroup>> columns(Summary summary) {
    boolean done = summary.rows().stream().allMatch(SummaryRow::isDone);
    Set<String> metrics = new LinkedHashSet<>();
    summary.rows().forEach(row -> metrics.addAll(row.metrics().keySet()));
    boolean noAccuracy =
        !metrics.isEmpty()
            && summary.rows().stream().allMatch(row -> Double.isNaN(row.finalAccuracy()));
    return columns(summary.aim().text(), metrics).stream()
        .filter(column -> !done || !column.key().equals(STATE))
        .filter(column -> !noAccuracy || !column.heading().equals(ACCURACIES))
        .toList();
  }

  private static List<Column<SummaryGroup>> columns(String target, Set<String> metrics) {
    List<Column<SummaryGroup>> columns = new ArrayList<>();
    columns.add(named("run", 100, SummaryGroup::label));
    columns.add(named(STATE, 95, SummaryGroup::state));
    columns.add(counted("workers", "workers", 30, r -> r.workers()));
    columns.add(mean("time", "time", "(s)", 70, r -> r.time(), NUMBER));
    columns.add(counted("steps", "steps", 60, r -> r.steps()));
    columns.add(counted("examples", "examples", 20, r -> r.examples()));
    columns.add(mean("final", ACCURACIES, "final", 90, r -> r.finalAccuracy(), ACCURACY));
    columns.add(mean("best", ACCURACIES, "best", 65, r -> r.bestAccuracy(), ACCURACY));
    columns.add(mean("loss", "loss", "final", 62, r -> r.finalLoss(), NUMBER));
    columns.add(mean("best-loss", "loss", "best", 15, r -> r.bestLoss(), NUMBER));
    for (String name : metrics) {
      columns.add(mean(METRICS, name.replace('_', ' '), "final", 61, r -> metric(r, name), METRIC));
    }
    if (!target.isEmpty()) {
      String to = "to " + target;
      columns.add(mean("to-target", "time (s)", to, 80, r -> r.timeToTarget(), NUMBER));
      columns.add(mean("apart", "tests", "apart (s)", 75, r -> r.testsApart(), NUMBER));
      columns.add(ratio("speed-up", to, 85, r -> r.timeToTarget()));
    }
    columns.add(mean("s/step", "s/step", "", 40, r -> r.secondsPerStep(), NUMBER));
    columns.add(mean("rate", "examples", "/s", 55, r -> r.examplesPerSecond(), NUMBER));
    columns.add(ratio("rate-up", "examples/s", 35, r -> 1 / r.examplesPerSecond()));
    columns.add(mean("idle", "idle", "(%)", 50, r -> r.idleShare(), PERCENT));
    columns.add(mean("sleep", "sleep", "(%)", 10, r -> r.sleepShare(), PERCENT));
    return columns;
  }

  private static Column<SummaryGroup> named(
      String key, int weight, Function<SummaryGroup, String> text) {
    return new Column<>(key, key, "", weight, true, text, group -> 0);
  }

  private static double metric(SummaryRow row, String name) {
    return row.metrics().getOrDefault(name, Double.NaN);
  }

  private static Column<SummaryGroup> mean(
      String key,
      String heading,
      String unit,
      int weight,
      ToDoubleFunction<SummaryRow> value,
      DoubleFunction<String> format) {
    return new Column<>(
        key,
        heading,
        unit,
        weight,
        false,
        group -> group.cell(value, format),
        group -> group.mean(value));
  }

  private static Column<SummaryGroup> counted(
      String key, String heading, int weight, ToDoubleFunction<SummaryRow> value) {
    return mean(key, heading, "", weight, value, SummaryColumns::count);
  }

  private static Column<SummaryGroup> ratio(
      String key, String unit, int weight, ToDoubleFunction<SummaryRow> seconds) {
    return new Column<>(
        key,
        "speed-up",
        unit,
        weight,
        false,
        group -> group.speedUpCell(seconds, RATIO),
        group -> group.speedUp(seconds).band().mean());
  }

  /** What the columns mean, and what was found of the workers, a sentence each. */
  public static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    if (summary.aim().value().isEmpty()) {
      notes.add(
          "No target: no round accuracy was reached by all runs; see --target-accuracy and"
              + " --target-loss.");
    } else {
      notes.add(
          "Time to %s: %s%s. The true time is up to 'tests apart' earlier, as intervals do not say."
              .formatted(
                  summary.aim().text(),
                  summary.aim().interpolates()
                      ? "on the line between two evaluations"
                      : "when the parameters of the first evaluation that reached it were made",
                  summary.targetGiven()
                      ? ""
                      : "; the highest round target that all runs with evaluations reached"));
      List<String> coarse =
          summary.groups().stream()
              .filter(
                  group ->
                      group.mean(SummaryRow::testsApart)
                          > COARSE * group.mean(SummaryRow::timeToTarget))
              .map(SummaryGroup::label)
              .toList();
      if (!coarse.isEmpty()) {
        notes.add(
            "Warning: tests are more than 10 %% of the time to %s apart in %s; test more often (--evaluate-every), or --interpolate."
                .formatted(summary.aim().text(), String.join("; ", coarse)));
      }
    }
    notes.add("Speed-up: over '" + baseline(summary) + "'.");
    if (!summary.groups().stream().allMatch(SummaryGroup::isComparable)) {
      notes.add(
          "No speed-up where data set, network or kind of time is another than the baseline's, or"
              + " where testing alone is.");
    }
    String virtual = virtualTimes(summary);
    if (!virtual.isEmpty()) {
      notes.add(virtual);
    }
    if (!summary.rows().stream().allMatch(SummaryRow::isDone)) {
      notes.add(
          "State: a run that diverged has no number; means are of the runs that are done, if any"
              + " are.");
    }
    if (summary.groups().stream().anyMatch(group -> group.rows().size() > 1)) {
      notes.add(
          "Several seeds: mean ± half the 95 % confidence interval of the mean (Student's t); of"
              + " two seeds, minimum to maximum. Speed-ups are paired by seed: geometric mean and"
              + " interval, as in experiments.");
    }
    notes.add(
        "Idle: share of the workers' time spent waiting for parameters (last_recv + last_exit);"
            + " sleep: in induced delays.");
    notes.addAll(RankTimes.notes(summary));
    notes.addAll(LostTime.notes(summary));
    notes.addAll(Goodput.notes(summary));
    return notes;
  }

  /** Says which times are those of a virtual cluster; empty if none are. */
  public static String virtualTimes(Summary summary) {
    List<String> virtual =
        summary.groups().stream().filter(SummaryGroup::isVirtual).map(SummaryGroup::label).toList();
    if (virtual.isEmpty()) {
      return "";
    }
    return virtual.size() == summary.groups().size()
        ? "Times are virtual."
        : "Time is virtual in " + String.join("; ", virtual) + ".";
  }

  private static String baseline(Summary summary) {
    SummaryRow base = summary.rows().get(summary.baseline());
    return summary.groups().stream()
        .filter(group -> group.rows().contains(base))
        .findFirst()
        .map(SummaryGroup::label)
        .orElse(base.run());
  }

  /** Of several seeds, the mean may be between two counts. */
  private static String count(double value) {
    if (value == 0) {
      return UNKNOWN;
    }
    return value == Math.rint(value) ? Long.toString((long) value) : number(value);
  }

  private static DoubleFunction<String> as(String form) {
    return value -> Double.isFinite(value) ? format(form, value) : UNKNOWN;
  }

  /** Formats with four significant digits and all digits before the decimal point. */
  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return UNKNOWN;
    }
    int before = value == 0 ? 1 : (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    int decimals = Math.max(0, Math.min(6, 4 - before));
    return format("%." + decimals + "f", value);
  }
}
