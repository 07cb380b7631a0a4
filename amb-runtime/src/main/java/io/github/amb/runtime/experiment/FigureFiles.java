package io.github.amb.runtime.experiment;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.runtime.program.FailureText;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
        missing(figure, FailureText.of(e));
      }
    }
    return files;
  }

  private boolean draw(ExperimentFigure figure, List<ExperimentRun> runs)
      throws IOException, InterruptedException {
    Path drawn = Files.createTempDirectory(folder, "figure");
    Path log = Files.createTempFile(folder, "figure", ".log");
    try {
      List<String> arguments = new ArrayList<>(List.of("plot"));
      runs.forEach(run -> arguments.add(run.directory().path().toString()));
      arguments.addAll(labels(figure, runs));
      arguments.addAll(figure.options());
      arguments.addAll(List.of("--subset", figure.panel(), "--ext", "png", "csv"));
      arguments.addAll(List.of("--silent", "--out", drawn.toString()));
      int code = starter.start(arguments, log).exit().code();
      if (code != 0) {
        missing(figure, ProgramProcess.lastLine(log));
      }
      for (Path file : Folder.files(drawn)) {
        take(file, figure.name());
      }
      return code == 0;
    } finally {
      Disk.REAL.delete(drawn);
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

  private void missing(ExperimentFigure figure, String cause) {
    err.println("amb: no figure " + figure.name() + ": " + cause);
  }

  private void take(Path file, String name) throws IOException {
    String found = file.getFileName().toString();
    Path target = folder.resolve(name + found.substring(found.lastIndexOf('.')));
    Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
