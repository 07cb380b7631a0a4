package io.github.amb.plots.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The columns of a summary that a person reads: headings, cells, and what they mean. */
public final class SummaryColumns {
  private static final String UNKNOWN = "-";

  /** One column: two lines of heading, and the text of its cells. */
  record Column(String heading, String unit, Function<SummaryRow, String> cell) {
    int width(List<SummaryRow> rows) {
      int cells = rows.stream().mapToInt(row -> cell.apply(row).length()).max().orElse(0);
      return Math.max(Math.max(heading.length(), unit.length()), cells);
    }
  }

  private SummaryColumns() {}

  /** A heading for each column, with its unit. */
  public static List<String> headings(Summary summary) {
    return columns(summary).stream()
        .map(column -> (column.heading() + " " + column.unit()).strip())
        .toList();
  }

  /** The cells of each row. */
  public static List<List<String>> cells(Summary summary) {
    List<Column> columns = columns(summary);
    return summary.rows().stream()
        .map(row -> columns.stream().map(column -> column.cell().apply(row)).toList())
        .toList();
  }

  static List<Column> columns(Summary summary) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("run", "", SummaryRow::run));
    columns.add(new Column("workers", "", row -> count(row.workers())));
    columns.add(new Column("time", "(s)", row -> number(row.time())));
    columns.add(new Column("steps", "", row -> count(row.steps())));
    columns.add(new Column("examples", "", row -> count(row.examples())));
    columns.add(new Column("accuracy", "final", row -> accuracy(row.finalAccuracy())));
    columns.add(new Column("accuracy", "best", row -> accuracy(row.bestAccuracy())));
    if (summary.target().isPresent()) {
      String target = "to " + target(summary);
      columns.add(new Column("time (s)", target, row -> number(row.timeToTarget())));
      columns.add(new Column("speed-up", target, row -> ratio(row.speedUpToTarget())));
    }
    columns.add(new Column("s/step", "", row -> number(row.secondsPerStep())));
    columns.add(new Column("examples", "/s", row -> number(row.examplesPerSecond())));
    columns.add(new Column("speed-up", "examples/s", row -> ratio(row.speedUpExamples())));
    columns.add(new Column("idle", "(%)", row -> percent(row.idleShare())));
    columns.add(new Column("sleep", "(%)", row -> percent(row.sleepShare())));
    return columns;
  }

  /** What the columns mean, and what was found of the workers, a sentence each. */
  public static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    if (summary.target().isEmpty()) {
      notes.add("No target accuracy: no round one was reached by all runs; see --target-accuracy.");
    } else {
      notes.add(
          "Time to %s: when the parameters of the first evaluation at or above it were made%s."
              .formatted(
                  target(summary),
                  summary.targetGiven()
                      ? ""
                      : "; the highest round target that all runs with evaluations reached"));
    }
    notes.add("Speed-up: over '" + summary.rows().get(summary.baseline()).run() + "'.");
    notes.add(
        "Idle: share of the workers' time spent waiting for parameters (last_recv + last_exit);"
            + " sleep: in induced delays.");
    notes.addAll(RankNotes.of(summary));
    notes.addAll(LossNotes.of(summary));
    return notes;
  }

  private static String target(Summary summary) {
    return String.valueOf(summary.target().getAsDouble());
  }

  private static String count(long value) {
    return value == 0 ? UNKNOWN : Long.toString(value);
  }

  private static String accuracy(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : UNKNOWN;
  }

  private static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : UNKNOWN;
  }

  private static String percent(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.1f", 100 * value) : UNKNOWN;
  }

  /** Four significant digits, all digits before the point. */
  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return UNKNOWN;
    }
    int before = value == 0 ? 1 : (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    int decimals = Math.max(0, Math.min(6, 4 - before));
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
