package io.github.amb.plots.command;

import io.github.amb.core.command.Arguments;
import io.github.amb.core.command.ExitCode;
import io.github.amb.core.command.OptionsCommand;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.MissingFontsException;
import io.github.amb.plots.panel.OtherPoints;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import io.github.amb.plots.timeline.Timeline;
import io.github.amb.plots.timeline.TraceEvents;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.Options;

/** {@code amb plot}: figures of runs side by side, in a window or as files. */
public final class PlotCommand extends OptionsCommand {
  private final PrintStream err;

  /** Prints to standard output and standard error. */
  public PlotCommand() {
    this(System.out, System.err);
  }

  PlotCommand(PrintStream out, PrintStream err) {
    super(
        out,
        "plot",
        "RUN...",
        "draw runs side by side: accuracy and loss over time and steps, and more");
    this.err = err;
  }

  @Override
  public Options options() {
    return PlotOptions.options();
  }

  @Override
  public Map<String, List<String>> values() {
    return Map.of(
        "type", PlotOptions.types(),
        "subset", Panels.names(),
        "ext", FigureFormat.extensions());
  }

  @Override
  protected int run(Arguments given) throws IOException, InterruptedException {
    try {
      PlotRequest plot = PlotRequest.of(given);
      if (plot.file() != null && given.has("separate")) {
        throw new UsageException("--out: expected a folder with --separate, found a file");
      }
      if (plot.isOfMeasurements()) {
        show(
            plot,
            given,
            titled(
                plot, Pages.ofMeasurements(plot, files(plot, given), folder(plot, given)), given),
            List.of());
      } else {
        List<Run> runs = RunReader.readAll(runs(plot, given));
        List<Page> pages =
            Pages.ofRuns(
                plot, runs, given.texts("label"), given.has("separate"), folder(plot, given));
        show(plot, given, titled(plot, beside(pages, given), given), runs);
      }
      return 0;
    } catch (MissingFontsException e) {
      err.println(e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private static Path folder(PlotRequest plot, Arguments given) {
    String out = given.value("out", null);
    if (plot.file() != null) {
      return plot.file().toAbsolutePath().getParent();
    }
    return out == null ? null : Path.of(out);
  }

  private static List<Page> beside(List<Page> pages, Arguments given) throws IOException {
    if (!given.has("beside")) {
      return pages;
    }
    OtherPoints points = OtherPoints.read(Path.of(given.value("beside", null)));
    return pages.stream()
        .map(page -> new Page(points.beside(page.drawing()), page.prefix()))
        .toList();
  }

  /** The title of the user; of a single figure also the file. */
  private static List<Page> titled(PlotRequest plot, List<Page> pages, Arguments given) {
    return pages.stream()
        .map(
            page ->
                new Page(
                    page.drawing().titled(given.value("title", "")),
                    plot.file() == null ? page.prefix() : plot.prefix()))
        .toList();
  }

  private static List<RunDirectory> runs(PlotRequest plot, Arguments given) {
    List<RunDirectory> runs =
        new ArrayList<>(Keywords.of(given).choose(RunArguments.runs(plot.inputs(), given)));
    if (given.has("reverse")) {
      Collections.reverse(runs);
    }
    return runs;
  }

  private static List<Path> files(PlotRequest plot, Arguments given) {
    List<String> named = new ArrayList<>(plot.inputs());
    named.addAll(given.values("data-dir"));
    return named.stream().map(Path::of).toList();
  }

  private void show(PlotRequest plot, Arguments given, List<Page> pages, List<Run> runs)
      throws IOException, InterruptedException {
    boolean window = !given.has("silent") && FigureWindow.isPossible();
    if (!window || given.has("save")) {
      write(plot, pages, runs, folder(plot, given));
    }
    if (window) {
      List<String> names =
          pages.stream().map(page -> page.prefix().getFileName().toString()).toList();
      List<BufferedImage> images =
          pages.stream()
              .map(page -> Figures.image(page.drawing(), plot.view(), plot.size()))
              .toList();
      FigureWindow.show(names, images);
    }
  }

  private void write(PlotRequest plot, List<Page> pages, List<Run> runs, Path folder)
      throws IOException {
    if (!runs.isEmpty() && folder == null) {
      Plots.make(runs);
    }
    Set<String> notes = new LinkedHashSet<>();
    List<Path> files = new ArrayList<>();
    for (Page page : pages) {
      Figures.Written written =
          Figures.write(page.drawing(), plot.view(), plot.size(), plot.formats(), page.prefix());
      notes.addAll(written.notes());
      files.addAll(written.files());
      if (plot.type().equals(Timeline.NAME) && plot.subset().isEmpty()) {
        Path trace =
            page.prefix().resolveSibling(page.prefix().getFileName() + "." + TraceEvents.EXTENSION);
        TraceEvents.write(runs, trace);
        files.add(trace);
      }
    }
    notes.forEach(err::println);
    err.flush();
    files.forEach(out::println);
    out.flush();
  }
}
