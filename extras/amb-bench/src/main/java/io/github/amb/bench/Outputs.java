package io.github.amb.bench;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.CsvReport;
import io.github.amb.bench.harness.FigureReport;
import io.github.amb.bench.harness.JsonReport;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The files to which results are written.
 *
 * @param json the whole report; null for none
 * @param csv the tables; null for none
 * @param figure the tables as a figure; null for none
 */
record Outputs(Path json, Path csv, Path figure) {
  /**
   * Creates the files that are missing. This detects before a measurement of minutes whether all
   * can be written. Until then, existing ones keep what they contain.
   *
   * @throws UsageException if one cannot be written, or the figure's extension is not that of a
   *     format
   */
  static Outputs of(String json, String csv, String figure) {
    if (figure != null) {
      format(figure);
    }
    return new Outputs(writable("json", json), writable("csv", csv), writable("figure", figure));
  }

  private static Path writable(String option, String name) {
    if (name == null) {
      return null;
    }
    try {
      Path file = Path.of(name);
      Files.newOutputStream(file, CREATE, APPEND).close();
      return file;
    } catch (IOException e) {
      throw new UsageException("--" + option + ": cannot write " + name + ": " + e);
    }
  }

  private String name() {
    return figure.getFileName().toString();
  }

  private static FigureFormat format(String name) {
    return FigureFormat.named(name.substring(name.lastIndexOf('.') + 1));
  }

  void write(Map<String, Object> head, BenchmarkReport report) throws IOException {
    if (json != null) {
      Files.writeString(json, JsonReport.of(head, report));
    }
    if (csv != null) {
      Files.writeString(csv, CsvReport.of(report));
    }
    if (figure != null) {
      Drawing drawing = FigureReport.of(report);
      if (drawing.contents().isEmpty()) {
        throw new UsageException("--figure: expected a benchmark with repeats, found none to draw");
      }
      Path prefix = figure.resolveSibling(name().substring(0, name().lastIndexOf('.')));
      Figures.write(drawing, View.PLAIN, size(drawing), List.of(format(name())), prefix);
    }
  }

  /** Rows have long names, so their panels are wider. */
  private static PanelSize size(Drawing drawing) {
    boolean rows =
        drawing.contents().stream().anyMatch(content -> content.frame().mark() == Mark.ROWS);
    return rows ? new PanelSize(4.8, PanelSize.DEFAULT.height()) : PanelSize.DEFAULT;
  }
}
