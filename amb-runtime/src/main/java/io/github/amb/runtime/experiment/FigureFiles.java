package io.github.amb.runtime.experiment;

import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.MissingFontsException;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.View;
import io.github.amb.runtime.command.FailureText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Has {@code amb plot} draw an experiment's figures.
 *
 * @param folder that the figures go to
 * @param starter starts the program
 * @param err receives a line for each figure that cannot be drawn
 */
record FigureFiles(Path folder, ExperimentRuns.Starter starter, PrintStream err) {
  /** Height of a name beside a panel, in inches. */
  private static final double ROOM = 0.17;

  private static final Set<String> WITH_OTHER_LABELS =
      Set.of("--label", "--reverse", "--and-kw", "--or-kw", "--not-kw", "--data-dir");

  /** Draws figures of all runs that are done; returns the names of the PNG files. */
  List<String> draw(List<ExperimentFigure> figures, List<ExperimentRun> runs)
      throws IOException, InterruptedException {
    List<String> files = new ArrayList<>();
    for (ExperimentFigure figure : figures) {
      List<String> variants = figure.variants();
      List<ExperimentRun> shown =
          runs.stream()
              .filter(run -> variants.isEmpty() || variants.contains(run.variant().name()))
              .filter(ExperimentRun::hasRecords)
              .toList();
      try {
        if (!shown.isEmpty() && draw(figure, shown)) {
          files.add(figure.name() + ".png");
        }
      } catch (IOException | UncheckedIOException e) {
        missing(figure.name(), FailureText.of(e));
      }
    }
    return files;
  }

  /** Draws figures by their names; returns the names of the PNG files. */
  List<String> draw(Map<String, Drawing> figures) throws IOException {
    List<String> files = new ArrayList<>();
    List<FigureFormat> formats = List.of(FigureFormat.PNG, FigureFormat.CSV);
    for (Map.Entry<String, Drawing> one : figures.entrySet()) {
      double height = PanelSize.DEFAULT.height();
      for (Content content : one.getValue().contents()) {
        height = Math.max(height, ROOM * (content.frame().yNames().size() + 4));
      }
      PanelSize size = new PanelSize(PanelSize.DEFAULT.width(), height);
      try {
        Path prefix = folder.resolve(one.getKey());
        Figures.write(one.getValue(), View.PLAIN, size, formats, prefix);
        files.add(one.getKey() + ".png");
      } catch (MissingFontsException e) {
        missing(one.getKey(), e.getMessage());
      }
    }
    return files;
  }

  private boolean draw(ExperimentFigure figure, List<ExperimentRun> runs)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(folder, "figure", ".log");
    try {
      List<String> arguments = new ArrayList<>(List.of("plot"));
      runs.forEach(run -> arguments.add(run.directory().path().toString()));
      arguments.addAll(labels(figure, runs));
      arguments.addAll(figure.options());
      arguments.addAll(List.of("--subset", figure.panel(), "--ext", "png", "csv", "--silent"));
      arguments.addAll(List.of("--out", folder.resolve(figure.name() + ".png").toString()));
      int code = starter.start(arguments, log).exit().code();
      if (code != 0) {
        missing(figure.name(), ProgramProcess.lastLine(log));
      }
      return code == 0;
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /**
   * The names of variants, for curves, unless the file has labels or draws other runs. Other panels
   * have one legend entry per phase or run.
   */
  private static List<String> labels(ExperimentFigure figure, List<ExperimentRun> runs) {
    List<String> labels = new ArrayList<>();
    if (figure.panel().contains("_vs_")
        && Collections.disjoint(figure.options(), WITH_OTHER_LABELS)) {
      Map<String, Long> seeds =
          runs.stream()
              .collect(
                  Collectors.groupingBy(
                      run -> run.variant().name(), LinkedHashMap::new, Collectors.counting()));
      seeds.forEach(
          (name, count) ->
              labels.addAll(
                  List.of("--label", name + (count > 1 ? " (" + count + " seeds)" : ""))));
    }
    return labels;
  }

  private void missing(String figure, String cause) {
    err.println("amb: no figure " + figure + ": " + cause);
  }
}
