package io.github.amb.runtime.plot;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.figure.Timeline;
import io.github.amb.plots.panel.Bandwidth;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates the requested figures. */
final class Pages {
  private Pages() {}

  /** The default folder: {@code plots} in a single run, or beside the first of several. */
  static Path folder(List<Run> runs) {
    RunDirectory first = runs.get(0).directory();
    return runs.size() == 1 ? first.plots() : first.path().resolveSibling("plots");
  }

  /** Creates the default folder, which must not be a link. */
  static Path makeFolder(List<Run> runs) throws IOException {
    Path folder = folder(runs);
    Path parent = folder.getParent();
    return OutputFile.folder(parent == null ? Path.of("") : parent, folder);
  }

  /**
   * Figures of runs.
   *
   * @param labels what the legend calls the groups of runs; empty for the usual names
   * @param separate whether each panel is a figure
   * @param out folder of the files; null for the default
   */
  static Map<Path, Drawing> ofRuns(
      PlotRequest plot, List<Run> runs, List<String> labels, boolean separate, Path out) {
    Path folder = out == null ? folder(runs) : out;
    String ids = FileNames.join(runs.stream().map(Run::id).toList());
    Map<Path, Drawing> pages = new LinkedHashMap<>();
    if (plot.type().equals(Timeline.NAME) && plot.subset().isEmpty()) {
      pages.put(
          folder.resolve(Timeline.NAME + "-" + ids), Timeline.draw(runs, labels, plot.view()));
    } else if (separate) {
      for (Panel panel : plot.panels(runs)) {
        Drawing drawing = RunPanels.draw(runs, List.of(panel), plot.view());
        pages.put(folder.resolve(panel.name() + "-" + ids), drawing.labelled(labels));
      }
    } else {
      Drawing drawing =
          plot.subset().isEmpty()
              ? RunPanels.overview(runs, plot.panels(runs), plot.view())
              : RunPanels.draw(runs, plot.panels(runs), plot.view());
      pages.put(folder.resolve(plot.name() + "-" + ids), drawing.labelled(labels));
    }
    return pages;
  }

  /**
   * A figure of measurements.
   *
   * @param files one or more
   * @param out folder of the files; null for the folder of the measurements
   */
  static Map<Path, Drawing> ofMeasurements(PlotRequest plot, List<Path> files, Path out) {
    if (files.isEmpty()) {
      throw new UsageException(
          "expected a file or folder of measurements (see amb bench), found none");
    }
    Path first = files.get(0);
    Path beside = Files.isDirectory(first) ? first : first.toAbsolutePath().getParent();
    Path folder = out == null ? beside : out;
    Map<Path, Drawing> pages = new LinkedHashMap<>();
    if (plot.type().equals(Bandwidth.NAME)) {
      pages.put(folder.resolve(Bandwidth.NAME), Bandwidth.read(files));
      return pages;
    }
    for (Path file : files) {
      String name = file.getFileName().toString().replaceFirst("\\.json$", "");
      String prefix = Files.isDirectory(file) ? Partitions.NAME : name;
      pages.put(folder.resolve(prefix), Partitions.read(file));
    }
    return pages;
  }
}
