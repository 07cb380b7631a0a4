package io.github.amb.runtime.plot;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.MissingFontsException;
import io.github.amb.plots.figure.Timeline;
import io.github.amb.plots.figure.TraceEvents;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.OtherPoints;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.Options;

/** {@code amb plot}: figures of runs side by side, in a window or as files. */
public final class PlotCommand extends OptionsCommand {

  /** Prints to standard output and standard error. */
  public PlotCommand() {
    super(
        "plot",
        "RUN...",
        "draw runs side by side: accuracy and loss over time and steps, and more");
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
      Path folder = folder(plot, given);
      boolean measured = plot.isOfMeasurements();
      List<Run> runs = measured ? List.of() : RunReader.readAll(runs(plot, given));
      Map<Path, Drawing> pages =
          measured
              ? Pages.ofMeasurements(plot, files(plot, given), folder)
              : Pages.ofRuns(plot, runs, given.texts("label"), given.has("separate"), folder);
      if (!measured && given.has("beside")) {
        OtherPoints points = OtherPoints.read(Path.of(given.value("beside", null)));
        pages.replaceAll((prefix, drawing) -> points.beside(drawing));
      }
      Map<Path, Drawing> titled = new LinkedHashMap<>();
      pages.forEach(
          (prefix, drawing) ->
              titled.put(
                  plot.file() == null ? prefix : plot.prefix(),
                  drawing.titled(given.value("title", ""))));
      show(plot, given, titled, runs);
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

  private static List<RunDirectory> runs(PlotRequest plot, Arguments given) {
    List<RunDirectory> runs = new ArrayList<>(RunArguments.chosen(plot.inputs(), given));
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

  private void show(PlotRequest plot, Arguments given, Map<Path, Drawing> pages, List<Run> runs)
      throws IOException, InterruptedException {
    boolean window = !given.has("silent") && FigureWindow.isPossible();
    if (!window || given.has("save")) {
      write(plot, pages, runs, folder(plot, given));
    }
    if (window) {
      List<String> names =
          pages.keySet().stream().map(prefix -> prefix.getFileName().toString()).toList();
      List<BufferedImage> images =
          pages.values().stream()
              .map(drawing -> Figures.image(drawing, plot.view(), plot.size()))
              .toList();
      FigureWindow.show(names, images);
    }
  }

  private void write(PlotRequest plot, Map<Path, Drawing> pages, List<Run> runs, Path folder)
      throws IOException {
    if (!runs.isEmpty() && folder == null) {
      Pages.makeFolder(runs);
    }
    Set<String> notes = new LinkedHashSet<>();
    List<Path> files = new ArrayList<>();
    for (Map.Entry<Path, Drawing> page : pages.entrySet()) {
      Path prefix = page.getKey();
      Figures.Written written =
          Figures.write(page.getValue(), plot.view(), plot.size(), plot.formats(), prefix);
      notes.addAll(written.notes());
      files.addAll(written.files());
      if (plot.type().equals(Timeline.NAME) && plot.subset().isEmpty()) {
        Path trace = prefix.resolveSibling(prefix.getFileName() + "." + TraceEvents.EXTENSION);
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
