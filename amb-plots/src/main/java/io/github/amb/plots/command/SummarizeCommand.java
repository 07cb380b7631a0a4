package io.github.amb.plots.command;

import io.github.amb.core.command.Command;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.summary.Summary;
import io.github.amb.plots.summary.SummaryFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code amb summarize}: what each run reached and how fast, one row per run. */
public final class SummarizeCommand implements Command {
  private final PrintStream out;

  /** Prints to standard output. */
  public SummarizeCommand() {
    this(System.out);
  }

  SummarizeCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public String name() {
    return "summarize";
  }

  @Override
  public String summary() {
    return "Compare runs: accuracy, time to a target accuracy, speed, idle workers.";
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    Options options = options();
    Arguments given = Arguments.parse(options, arguments);
    if (given.helpWanted()) {
      Arguments.printHelp(out, "amb summarize RUN...", summary(), options);
      return 0;
    }
    SummaryFormat format = SummaryFormat.named(given.value("format", "table"));
    List<RunDirectory> runs = RunArguments.runs(given.positional(), given);
    out.print(format.write(Summary.of(runs, given.number("target-accuracy"))));
    out.flush();
    return 0;
  }

  private static Options options() {
    return new Options()
        .addOption(
            Option.builder()
                .longOpt("target-accuracy")
                .hasArg()
                .argName("A")
                .desc(
                    "Test accuracy, over 0 and at most 1, to measure the time to. Default: the"
                        + " highest of 0.99, 0.98, 0.97, 0.95, 0.9, 0.8, ... that all runs reached.")
                .get())
        .addOption(
            Option.builder()
                .longOpt("format")
                .hasArg()
                .argName("FORMAT")
                .desc("table, json or csv. Default: table.")
                .get())
        .addOption(RunArguments.dataDir());
  }
}
