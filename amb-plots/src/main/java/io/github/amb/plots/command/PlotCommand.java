package io.github.amb.plots.command;

import io.github.amb.core.command.Command;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.MissingFontsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.Options;

/** {@code amb plot}: figures of runs side by side, as PNG, SVG and CSV. */
public final class PlotCommand implements Command {
  private final PrintStream out;
  private final PrintStream err;

  /** Prints to standard output and standard error. */
  public PlotCommand() {
    this(System.out, System.err);
  }

  PlotCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public String name() {
    return "plot";
  }

  @Override
  public String summary() {
    return "Draw runs side by side: accuracy and loss over time and steps, and more.";
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    Options options = PlotOptions.options();
    Arguments given = Arguments.parse(options, arguments);
    if (given.helpWanted()) {
      Arguments.printHelp(out, "amb plot RUN...", summary(), options);
      return 0;
    }
    try {
      draw(PlotOptions.of(given));
      return 0;
    } catch (MissingFontsException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private void draw(PlotOptions plot) throws IOException {
    Set<String> notes = new LinkedHashSet<>();
    List<Path> files = new ArrayList<>();
    for (PlotOptions.Page page : plot.pages()) {
      Figures.Written written =
          Figures.write(
              plot.runs(), page.panels(), plot.view(), plot.size(), plot.formats(), page.prefix());
      notes.addAll(written.notes());
      files.addAll(written.files());
    }
    notes.forEach(err::println);
    err.flush();
    files.forEach(out::println);
    out.flush();
  }
}
