package io.github.amb.plots.command;

import io.github.amb.core.command.UsageException;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.panel.Bandwidth;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.timeline.Timeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Creates the requested figures. */
final class Pages {
  private Pages() {}

  /**
   * Figures of runs.
   *
   * @param labels what the legend calls the groups of runs; empty for the usual names
   * @param separate whether each panel is a figure
   * @param out folder of the files; null for the default
   */
  static List<Page> ofRuns(
      PlotRequest plot, List<Run> runs, List<String> labels, boolean separate, Path out) {
    Path folder = out == null ? Plots.of(runs) : out;
    String ids = FileNames.join(runs.stream().map(Run::id).toList());
    if (plot.type().equals(Timeline.NAME) && plot.subset().isEmpty()) {
      return List.of(
          new Page(
              Timeline.draw(runs, labels, plot.view()), folder.resolve(Timeline.NAME + "-" + ids)));
    }
    if (!separate) {
      boolean chosen = !plot.subset().isEmpty();
      Drawing drawing =
          chosen
              ? RunPanels.draw(runs, plot.panels(), plot.view())
              : RunPanels.overview(runs, plot.panels(), plot.view());
      return List.of(new Page(drawing.labelled(labels), folder.resolve(plot.name() + "-" + ids)));
    }
    List<Page> pages = new ArrayList<>();
    for (Panel panel : plot.panels()) {
      Drawing drawing = RunPanels.draw(runs, List.of(panel), plot.view());
      pages.add(new Page(drawing.labelled(labels), folder.resolve(panel.name() + "-" + ids)));
    }
    return pages;
  }

  /**
   * A figure of measurements.
   *
   * @param files one or more
   * @param out folder of the files; null for the folder of the measurements
   */
  static List<Page> ofMeasurements(PlotRequest plot, List<Path> files, Path out) {
    if (files.isEmpty()) {
      throw new UsageException(
          "expected a file or folder of measurements (see amb bench), found none");
    }
    Path first = files.get(0);
    Path beside = Files.isDirectory(first) ? first : first.toAbsolutePath().getParent();
    Path folder = out == null ? beside : out;
    if (plot.type().equals(Bandwidth.NAME)) {
      return List.of(new Page(Bandwidth.read(files), folder.resolve(Bandwidth.NAME)));
    }
    List<Page> pages = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString().replaceFirst("\\.json$", "");
      String prefix = Files.isDirectory(file) ? Partitions.NAME : name;
      pages.add(new Page(Partitions.read(file), folder.resolve(prefix)));
    }
    return pages;
  }
}
