package io.github.amb.plots.command;

import io.github.amb.core.command.Arguments;
import io.github.amb.core.command.Command;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.figure.MissingFontsException;
import io.github.amb.plots.report.Report;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code amb report}: everything about some runs on one HTML page. */
public final class ReportCommand implements Command {
  private final PrintStream out;
  private final PrintStream err;

  /** Prints to standard output and standard error. */
  public ReportCommand() {
    this(System.out, System.err);
  }

  ReportCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public String name() {
    return "report";
  }

  @Override
  public String summary() {
    return "write one HTML page on runs: summary, figures, configuration, differences, endings";
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    Options options = options();
    Arguments given = Arguments.parse(options, arguments);
    if (given.helpWanted()) {
      Arguments.printHelp(out, "amb report RUN...", summary(), options);
      return 0;
    }
    List<Run> runs = RunReader.readAll(RunArguments.runs(given.positional(), given));
    try {
      String page = Report.of(runs, given.number("target-accuracy"));
      Path file = file(given, runs);
      Files.createDirectories(file.toAbsolutePath().getParent());
      out.println(Files.writeString(file, page));
      return 0;
    } catch (MissingFontsException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private static Path file(Arguments given, List<Run> runs) {
    String out = given.value("out", null);
    if (out != null) {
      return Path.of(out);
    }
    RunDirectory first = runs.get(0).directory();
    return runs.size() == 1
        ? first.plots().resolve("report.html")
        : first.path().resolveSibling("plots").resolve("report.html");
  }

  @Override
  public Options options() {
    return new Options()
        .addOption(SummarizeCommand.targetAccuracy())
        .addOption(
            Option.builder()
                .longOpt("out")
                .hasArg()
                .argName("FILE")
                .desc(
                    "The page. Default: plots/report.html in a single run, or beside the first of"
                        + " several.")
                .get())
        .addOption(RunArguments.dataDir());
  }
}
