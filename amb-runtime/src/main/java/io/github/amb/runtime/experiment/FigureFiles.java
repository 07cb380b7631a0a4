package io.github.amb.runtime.experiment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has {@code amb plot} draw an experiment's figures.
 *
 * @param folder that the figures go to
 * @param starter starts the program
 * @param err receives a line for each figure that cannot be drawn
 */
record FigureFiles(Path folder, ExperimentRuns.Starter starter, PrintStream err) {
  /** Draws figures of all runs that are done; returns the names of the PNG files. */
  List<String> draw(List<ExperimentFigure> figures, List<ExperimentRun> runs)
      throws IOException, InterruptedException {
    List<ExperimentRun> done = new ArrayList<>();
    for (ExperimentRun run : runs) {
      if (run.hasRecords()) {
        done.add(run);
      }
    }
    List<String> files = new ArrayList<>();
    for (ExperimentFigure figure : figures) {
      List<String> shown =
          done.stream()
              .filter(
                  run ->
                      figure.variants().isEmpty()
                          || figure.variants().contains(run.variant().name()))
              .map(run -> run.directory().path().toString())
              .toList();
      if (!shown.isEmpty() && draw(figure, shown)) {
        files.add(figure.name() + ".png");
      }
    }
    return files;
  }

  private boolean draw(ExperimentFigure figure, List<String> runs)
      throws IOException, InterruptedException {
    Path drawn = Files.createTempDirectory(folder, "figure");
    Path log = Files.createTempFile(folder, "figure", ".log");
    List<String> arguments = new ArrayList<>(List.of("plot"));
    arguments.addAll(runs);
    arguments.addAll(figure.options());
    arguments.addAll(List.of("--subset", figure.panel(), "--ext", "png", "csv"));
    arguments.addAll(List.of("--silent", "--out", drawn.toString()));
    int code = starter.start(arguments, log).waitFor();
    if (code != 0) {
      err.println("amb: no figure " + figure.name() + ": " + ProgramProcess.lastLine(log));
    }
    try (Stream<Path> files = Files.walk(drawn)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        take(file, figure.name());
      }
    }
    Files.delete(log);
    return code == 0;
  }

  /** Moves a file to its name; deletes the folder after its files. */
  private void take(Path file, String name) throws IOException {
    if (Files.isDirectory(file)) {
      Files.delete(file);
      return;
    }
    String found = file.getFileName().toString();
    Path target = folder.resolve(name + found.substring(found.lastIndexOf('.')));
    Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
