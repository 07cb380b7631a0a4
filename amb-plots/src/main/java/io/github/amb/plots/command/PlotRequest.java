package io.github.amb.plots.command;

import io.github.amb.core.command.Arguments;
import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.measurement.Bandwidth;
import io.github.amb.plots.measurement.Partitions;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What {@code amb plot} was asked for.
 *
 * @param type a figure's name
 * @param subset panels to draw in place of those of the type; empty for the type's
 * @param inputs what was named: runs, or files of measurements
 * @param view what part of the data is drawn
 * @param size size of a panel
 * @param formats kinds of file to write
 */
record PlotRequest(
    String type,
    List<Panel> subset,
    List<String> inputs,
    View view,
    PanelSize size,
    List<FigureFormat> formats) {

  /**
   * Makes sense of the arguments.
   *
   * @throws UsageException if a name is unknown or a number out of range
   */
  static PlotRequest of(Arguments given) {
    List<String> inputs = new ArrayList<>(given.positional());
    List<String> subset = names(given, "subset", Panels.names(), inputs);
    List<String> extensions = names(given, "ext", FigureFormat.extensions(), inputs);
    List<FigureFormat> formats = extensions.stream().map(FigureFormat::named).distinct().toList();
    double[] size = given.pair("ax-size", PanelSize.DEFAULT.width(), PanelSize.DEFAULT.height());
    return new PlotRequest(
        type(given),
        subset.stream().map(name -> Panels.named(name.replace('-', '_'))).toList(),
        inputs,
        view(given),
        new PanelSize(size[0], size[1]),
        formats.isEmpty() ? List.of(FigureFormat.PNG, FigureFormat.SVG) : formats);
  }

  private static String type(Arguments given) {
    String type = given.value("type", Panels.MAIN).replace('-', '_');
    if (!PlotOptions.types().contains(type)) {
      throw new UsageException(
          "--type: unknown panel '%s'%s"
              .formatted(type, Suggestion.forName(type, PlotOptions.types())));
    }
    return type;
  }

  private static View view(Arguments given) {
    return new View(
        given.number("xmax"),
        given.number("ymax"),
        given.has("ylog"),
        given.has("hist-ylog"),
        given.number("filter-sigma").orElse(0),
        given.number("bw-time"));
  }

  /**
   * The values of an option that takes several. Such an option also takes the runs that are typed
   * after it: a value that is not a name that the option knows, but a directory, is a run.
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

  /** The panels of a figure of runs. */
  List<Panel> panels() {
    return subset.isEmpty() ? Panels.ofType(type) : subset;
  }

  /** What files of the figure are called first. */
  String name() {
    return subset.isEmpty() ? type : FileNames.join(subset.stream().map(Panel::name).toList());
  }
}
