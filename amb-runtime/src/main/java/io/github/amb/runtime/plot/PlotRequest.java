package io.github.amb.runtime.plot;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Bandwidth;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.runtime.command.Arguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The parsed arguments of {@code amb plot}.
 *
 * @param type name of the figure
 * @param subset panels to draw instead of those of the type; empty for the type's
 * @param inputs the named runs or files of measurements
 * @param view the part of the data to draw
 * @param size size of a panel
 * @param formats kinds of file to write
 * @param file the only file to write; null for files in a folder
 */
record PlotRequest(
    String type,
    List<Panel> subset,
    List<String> inputs,
    View view,
    PanelSize size,
    List<FigureFormat> formats,
    Path file) {
  private static final List<FigureFormat> USUAL = List.of(FigureFormat.PNG, FigureFormat.SVG);

  /**
   * Parses the arguments.
   *
   * @throws UsageException if a name is unknown or a number out of range
   */
  static PlotRequest of(Arguments given) {
    List<String> inputs = new ArrayList<>(given.positional());
    List<String> subset = names(given, "subset", Panels.names(), inputs);
    List<String> extensions = names(given, "ext", FigureFormat.extensions(), inputs);
    List<FigureFormat> formats = extensions.stream().map(FigureFormat::named).distinct().toList();
    Path file = file(given);
    double[] size = given.pair("ax-size", PanelSize.DEFAULT.width(), PanelSize.DEFAULT.height());
    return new PlotRequest(
        type(given),
        subset.stream().map(name -> Panels.named(name.replace('-', '_'))).toList(),
        inputs,
        view(given),
        new PanelSize(size[0], size[1]),
        !formats.isEmpty() ? formats : file == null ? USUAL : List.of(format(file)),
        file);
  }

  /** What {@code --out} names if it has an extension of figures and is no folder. */
  private static Path file(Arguments given) {
    String out = given.value("out", "");
    boolean figure =
        FigureFormat.extensions().stream().anyMatch(extension -> out.endsWith("." + extension));
    return figure && !Files.isDirectory(Path.of(out)) ? Path.of(out) : null;
  }

  private static FigureFormat format(Path file) {
    String name = file.getFileName().toString();
    return FigureFormat.named(name.substring(name.lastIndexOf('.') + 1));
  }

  /** The file without its extension. */
  Path prefix() {
    String name = file.getFileName().toString();
    return file.toAbsolutePath().resolveSibling(name.substring(0, name.lastIndexOf('.')));
  }

  private static String type(Arguments given) {
    String type = given.value("type", Panels.MAIN).replace('-', '_');
    Suggestion.expectKnown("--type: unknown panel", type, PlotOptions.types());
    return type;
  }

  private static View view(Arguments given) {
    View view =
        new View(
            given.number("xmax"),
            given.number("ymax"),
            given.number("xmin"),
            given.number("ymin"),
            given.has("ylog"),
            given.has("hist-ylog"),
            given.number("filter-sigma").orElse(0),
            given.number("bw-time"));
    if (view.xMin().orElse(0) >= view.xMax().orElse(Double.POSITIVE_INFINITY)
        || view.yMin().orElse(0) >= view.yMax().orElse(Double.POSITIVE_INFINITY)) {
      throw new UsageException(
          "--xmin, --ymin: expected less than --xmax and --ymax, found as much or more");
    }
    return view;
  }

  /**
   * The values of an option that accepts several. Such an option also consumes the runs that are
   * typed after it. A value that is not a known name, but a directory, is a run.
   */
  private static List<String> names(
      Arguments given, String option, List<String> known, List<String> runs) {
    Predicate<String> isRun = value -> !known.contains(value) && Files.isDirectory(Path.of(value));
    List<String> values = given.values(option);
    values.stream().filter(isRun).forEach(runs::add);
    return values.stream().filter(isRun.negate()).toList();
  }

  /** Whether the figure is made from files of measurements, not from runs. */
  boolean isOfMeasurements() {
    return type.equals(Partitions.NAME) || type.equals(Bandwidth.NAME);
  }

  /** The panels of a figure of these runs. */
  List<Panel> panels(List<Run> runs) {
    return subset.isEmpty() ? Panels.ofType(type, runs) : subset;
  }

  /** First part of the names of the figure's files. */
  String name() {
    return subset.isEmpty() ? type : FileNames.join(subset.stream().map(Panel::name).toList());
  }
}
