package io.github.amb.runtime.plot;

import static io.github.amb.runtime.command.Arguments.flag;
import static io.github.amb.runtime.command.Arguments.one;
import static io.github.amb.runtime.command.Arguments.several;

import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Bandwidth;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.plots.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options of {@code amb plot}. */
final class PlotOptions {
  private PlotOptions() {}

  /** All values of {@code --type}. */
  static List<String> types() {
    List<String> types = new ArrayList<>(Panels.figureNames());
    types.addAll(List.of(Timeline.NAME, Partitions.NAME, Bandwidth.NAME));
    types.addAll(Panels.names());
    return types;
  }

  static Options options() {
    return new Options()
        .addOption(
            one(
                "type",
                "TYPE",
                "What to draw: "
                    + String.join(", ", types().subList(0, Panels.figureNames().size() + 3))
                    + "; or one axis: "
                    + String.join(", ", Panels.names())
                    + ". Default: "
                    + Panels.MAIN
                    + "."))
        .addOption(several("subset", "PANEL", "Draw only these panels, in this order."))
        .addOption(flag("separate", "One figure per panel."))
        .addOption(flag("ylog", "Logarithmic y axes; histograms stay linear."))
        .addOption(flag("hist-ylog", "Logarithmic y axes of histograms."))
        .addOption(one("xmax", "X", "Upper end of curves' x axes, over 0. Default: the data's."))
        .addOption(one("xmin", "X", "Lower end of curves' x axes, over 0. Default: the data's."))
        .addOption(one("ymin", "Y", "Lower end of curves' y axes, over 0. Default: the data's."))
        .addOption(one("ymax", "Y", "Upper end of curves' y axes, over 0. Default: the data's."))
        .addOption(
            one(
                "filter-sigma",
                "S",
                "Smooth loss and accuracy by an exponentially weighted"
                    + " moving average of this span, in points. Default: none."))
        .addOption(
            one(
                "bw-time",
                "W",
                "Width of the bins of histograms of times, in seconds. Default: a round one that"
                    + " makes about forty bins."))
        .addOption(several("and-kw", "WORD", "Only runs whose name has all of these."))
        .addOption(several("or-kw", "WORD", "Only runs whose name has one of these."))
        .addOption(several("not-kw", "WORD", "Only runs whose name has none of these."))
        .addOption(one("title", "TEXT", "A line above the panels."))
        .addOption(
            one(
                "label",
                "TEXT",
                "What the legend calls a run, or runs of several seeds; once for each, in order."))
        .addOption(
            one(
                "beside",
                "FILE",
                "Points of another source, such as a paper's: a CSV file with the columns panel,"
                    + " run, x and y."))
        .addOption(flag("reverse", "Draw the runs in reverse order."))
        .addOption(
            several(
                "ext",
                "EXT",
                "Files to write: "
                    + String.join(", ", FigureFormat.extensions())
                    + ". Default: png svg. A timeline has a trace.json besides, for a trace"
                    + " viewer."))
        .addOption(
            Option.builder()
                .longOpt("ax-size")
                .numberOfArgs(2)
                .argName("W H")
                .desc(
                    "Width and height of a panel in inches. Default: %s %s."
                        .formatted(PanelSize.DEFAULT.width(), PanelSize.DEFAULT.height()))
                .get())
        .addOption(
            flag(
                "save",
                "Write files even if a window opens. Without a window, they are always written."))
        .addOption(flag("silent", "Write files and open no window, even if there is a display."))
        .addOption(RunArguments.dataDir())
        .addOption(
            one(
                "out",
                "DIR",
                "Folder to write into, or a file with one of the extensions of --ext. Default:"
                    + " RUN/plots of a single run, the folder plots beside the first of several."));
  }
}
