package io.github.amb.runtime.plot;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.export.Export;
import io.github.amb.plots.export.Mlflow;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.summary.Summary;
import io.github.amb.plots.summary.SummaryColumns;
import io.github.amb.plots.summary.SummaryData;
import io.github.amb.plots.summary.SummaryTable;
import io.github.amb.plots.summary.SummaryTarget;
import io.github.amb.plots.summary.SummaryView;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.command.TerminalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.Options;

/** {@code amb summarize}: accuracy and speed of each run, one row per run. */
public final class SummarizeCommand extends OptionsCommand {
  private static final String TABLE = "table";
  private static final String JSON = "json";
  private static final String CSV = "csv";
  private static final String LATEX = "latex";
  private static final String MLFLOW = "mlflow";
  private static final List<String> FORMATS =
      Stream.of(List.of(TABLE, JSON, CSV, LATEX), Export.names(), List.of(MLFLOW))
          .flatMap(List::stream)
          .toList();

  /** The options of {@link #target}. */
  static final String TARGET =
      """
      target-accuracy A  Test accuracy, above 0 and at most 1, to measure the time to. Default: the
          highest of 0.99, 0.98, 0.97, 0.95, 0.9, 0.8, ... that all runs reached.
      target-loss L      Test loss to measure the time to, in place of an accuracy.
      interpolate        Reach the target between two tests, not at the second.
      """;

  private final int width;

  /** Prints to standard output. */
  public SummarizeCommand() {
    this(System.out, TerminalDevice.width());
  }

  /**
   * @param width columns of the terminal; 0 for no limit
   */
  SummarizeCommand(PrintStream out, int width) {
    super(
        out,
        "summarize",
        "RUN...",
        "compare runs: accuracy, time to a target accuracy, speed, idle workers");
    this.width = width;
  }

  @Override
  public Map<String, List<String>> values() {
    return Map.of("format", FORMATS);
  }

  @Override
  protected int run(Arguments given) throws IOException {
    String format = given.value("format", TABLE);
    Suggestion.expectKnown("--format: unknown format", format, FORMATS);
    List<RunDirectory> runs = RunArguments.runs(given.positional(), given);
    switch (format) {
      case TABLE, JSON, CSV, LATEX -> out.print(summary(format, runs, given));
      case MLFLOW -> {
        Mlflow server = new Mlflow(given.value("to", ""), System.getenv("MLFLOW_TRACKING_TOKEN"));
        server.send(RunReader.readAll(runs)).forEach(out::println);
      }
      default -> {
        Path folder = Path.of(given.value("out", format));
        Export.named(format).write(RunReader.readAll(runs), folder).forEach(out::println);
      }
    }
    out.flush();
    return 0;
  }

  private String summary(String format, List<RunDirectory> runs, Arguments given) {
    SummaryView view =
        new SummaryView(
            width,
            given.has("columns") ? Setting.items(given.value("columns", "")) : List.of(),
            given.value("sort", ""),
            given.has("reverse"),
            given.has("each"));
    Summary summary = Summary.of(runs, target(given), given.value("baseline", null));
    return switch (format) {
      case JSON -> SummaryData.json(summary);
      case CSV -> SummaryData.csv(summary);
      case LATEX -> SummaryTable.latex(summary, view);
      default -> SummaryTable.of(summary, view);
    };
  }

  @Override
  public Options options() {
    return Arguments.options(
        TARGET
            + """
            baseline RUN     What speed-ups are over: a label, directory or scheme. Default: the first
                run of fmb or sync, else the first run.
            columns KEY,...  Columns of the table: %s.
            sort KEY         Column to order rows by, smallest first.
            reverse          In reverse order.
            each             A row for each run. Default: one for runs that differ only in seed.
            format FORMAT    table, json, csv or latex (booktabs), printed; or files for other programs:
                esync (its summary.py's JSON), amb-csv (the Python AMB's CSV), tensorboard (event
                files); or mlflow, sent to the server of --to. Default: table.
            out DIR          Folder for files for other programs. Default: the format's name.
            to URL           MLflow's server for the format mlflow.
            """
                .formatted(String.join(", ", SummaryColumns.keys()))
            + RunArguments.DATA_DIR);
  }

  /** What times are measured to. */
  static SummaryTarget target(Arguments given) {
    return SummaryTarget.of(
        given.number("target-accuracy"), given.number("target-loss"), given.has("interpolate"));
  }
}
