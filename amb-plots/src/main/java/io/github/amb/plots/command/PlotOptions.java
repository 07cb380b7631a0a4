package io.github.amb.plots.command;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * What {@code amb plot} was asked for.
 *
 * @param runs the runs, in the order typed
 * @param pages the figures, each on a page of its own
 * @param view what part of the data is drawn
 * @param size size of a panel
 * @param formats kinds of file to write
 */
record PlotOptions(
    List<Run> runs, List<Page> pages, View view, PanelSize size, List<FigureFormat> formats) {

  /**
   * One figure.
   *
   * @param panels its panels, in order
   * @param prefix its files without their extensions
   */
  record Page(List<Panel> panels, Path prefix) {}

  /**
   * Makes sense of the arguments and reads the runs.
   *
   * @throws UsageException if a name is unknown, a number out of range, or a run cannot be read
   */
  static PlotOptions of(Arguments given) {
    List<String> named = new ArrayList<>(given.positional());
    List<String> subset = names(given, "subset", Panels.names(), named);
    List<String> extensions = names(given, "ext", FigureFormat.extensions(), named);
    String type = given.value("type", Panels.MAIN).replace('-', '_');
    List<Panel> panels =
        subset.isEmpty()
            ? Panels.ofType(type)
            : subset.stream().map(name -> Panels.named(name.replace('-', '_'))).toList();
    List<FigureFormat> formats = extensions.stream().map(FigureFormat::named).distinct().toList();
    View view =
        new View(
            given.number("xmax"),
            given.number("ymax"),
            given.has("ylog"),
            given.number("filter-sigma").orElse(0));
    double[] size = given.pair("ax-size", PanelSize.DEFAULT.width(), PanelSize.DEFAULT.height());
    List<Run> runs = RunReader.readAll(RunArguments.runs(named, given));
    String pageName = subset.isEmpty() ? type : FileNames.join(names(panels));
    return new PlotOptions(
        runs,
        pages(panels, given.has("separate"), pageName, folder(given, runs), runs),
        view,
        new PanelSize(size[0], size[1]),
        formats.isEmpty() ? List.of(FigureFormat.PNG, FigureFormat.SVG) : formats);
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

  private static List<String> names(List<Panel> panels) {
    return panels.stream().map(Panel::name).toList();
  }

  private static List<Page> pages(
      List<Panel> panels, boolean separate, String name, Path folder, List<Run> runs) {
    String ids = FileNames.join(runs.stream().map(Run::id).toList());
    if (!separate) {
      return List.of(new Page(panels, folder.resolve(name + "-" + ids)));
    }
    return panels.stream()
        .map(panel -> new Page(List.of(panel), folder.resolve(panel.name() + "-" + ids)))
        .toList();
  }

  private static Path folder(Arguments given, List<Run> runs) {
    String out = given.value("out", null);
    if (out != null) {
      return Path.of(out);
    }
    RunDirectory first = runs.get(0).directory();
    return runs.size() == 1 ? first.plots() : first.path().resolveSibling("plots");
  }

  static Options options() {
    return new Options()
        .addOption(
            one(
                "type",
                "TYPE",
                "What to draw. Default: panel_main, all of the panels: "
                    + String.join(", ", Panels.names())
                    + "; or one of them."))
        .addOption(several("subset", "PANEL", "Draw only these panels, in this order."))
        .addOption(flag("separate", "One figure per panel."))
        .addOption(flag("ylog", "Logarithmic y axes; histograms stay linear."))
        .addOption(one("xmax", "X", "Upper end of curves' x axes, over 0. Default: the data's."))
        .addOption(one("ymax", "Y", "Upper end of curves' y axes, over 0. Default: the data's."))
        .addOption(
            one(
                "filter-sigma",
                "S",
                "Smooth loss and accuracy by an exponentially weighted"
                    + " moving average of this span, in points. Default: none."))
        .addOption(several("ext", "EXT", "Files to write: png, svg, csv. Default: png svg."))
        .addOption(
            Option.builder()
                .longOpt("ax-size")
                .numberOfArgs(2)
                .argName("W H")
                .desc("Width and height of a panel in inches. Default: 3.6 2.7.")
                .get())
        .addOption(flag("save", "Accepted for older command lines: figures are always saved."))
        .addOption(flag("silent", "Accepted for older command lines: no window ever opens."))
        .addOption(RunArguments.dataDir())
        .addOption(
            one(
                "out",
                "DIR",
                "Folder to write into. Default: RUN/plots of a single run,"
                    + " the folder plots beside the first of several."));
  }

  private static Option one(String name, String value, String about) {
    return Option.builder().longOpt(name).hasArg().argName(value).desc(about).get();
  }

  private static Option several(String name, String value, String about) {
    return Option.builder().longOpt(name).hasArgs().argName(value + "...").desc(about).get();
  }

  private static Option flag(String name, String about) {
    return Option.builder().longOpt(name).desc(about).get();
  }
}
