package io.github.amb.runtime.plot;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.figure.MissingFontsException;
import io.github.amb.plots.report.RunsPage;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.Options;

/** {@code amb report}: one HTML page on some runs. */
public final class ReportCommand extends OptionsCommand {

  /** Prints to standard output and standard error. */
  public ReportCommand() {
    super(
        "report",
        "RUN...",
        "write one HTML page on runs: summary, figures, configuration, differences, endings");
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<Run> runs = RunReader.readAll(RunArguments.runs(given.positional(), given));
    try {
      String page = RunsPage.of(runs, SummarizeCommand.target(given));
      byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
      out.println(given.has("out") ? written(given, bytes) : written(runs, bytes));
      return 0;
    } catch (MissingFontsException e) {
      err.println(e.getMessage());
      return ExitCode.FAILED;
    }
  }

  /** Writes the page; the file that the user names may be a link or a device. */
  private static Path written(Arguments given, byte[] page) throws IOException {
    Path file = Path.of(given.value("out", null));
    if (Files.isDirectory(file)) {
      throw new UsageException("--out: expected a file, found the folder " + file);
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    return Files.write(file, page);
  }

  private static Path written(List<Run> runs, byte[] page) throws IOException {
    return OutputFile.write(Pages.makeFolder(runs).resolve("report.html"), page);
  }

  @Override
  public Options options() {
    return Arguments.options(
        SummarizeCommand.TARGET
            + """
        out FILE  The page. Default: plots/report.html in a single run, or beside the first of
            several.
        """
            + RunArguments.DATA_DIR);
  }
}
