package io.github.amb.runtime.plot;

import io.github.amb.plots.figure.FigureFormat;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.figure.Timeline;
import io.github.amb.plots.panel.Bandwidth;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Partitions;
import io.github.amb.runtime.command.Arguments;
import java.util.ArrayList;
import java.util.List;
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
    return Arguments.options(
        """
        type TYPE       What to draw: %s; or one axis: %s. Default: %s.
        subset PANEL...  Draw only these panels, in this order.
        separate        One figure per panel.
        ylog            Logarithmic y axes; histograms stay linear.
        hist-ylog       Logarithmic y axes of histograms.
        xmax X          Upper end of curves' x axes, over 0. Default: the data's.
        xmin X          Lower end of curves' x axes, over 0. Default: the data's.
        ymin Y          Lower end of curves' y axes, over 0. Default: the data's.
        ymax Y          Upper end of curves' y axes, over 0. Default: the data's.
        filter-sigma S  Smooth loss and accuracy by an exponentially weighted moving average of this
            span, in points. Default: none.
        bw-time W       Width of the bins of histograms of times, in seconds. Default: a round one
            that makes about forty bins.
        and-kw WORD...  Only runs whose name has all of these.
        or-kw WORD...   Only runs whose name has one of these.
        not-kw WORD...  Only runs whose name has none of these.
        title TEXT      A line above the panels.
        label TEXT      What the legend calls a run, or runs of several seeds; once for each, in
            order.
        beside FILE     Points of another source, such as a paper's: a CSV file with the columns
            panel, run, x and y.
        reverse         Draw the runs in reverse order.
        ext EXT...      Files to write: %s. Default: png svg. A timeline has a trace.json besides,
            for a trace viewer.
        ax-size W H     Width and height of a panel in inches. Default: %s %s.
        save            Write files even if a window opens. Without a window, they are always
            written.
        silent          Write files and open no window, even if there is a display.
        """
                .formatted(
                    String.join(", ", types().subList(0, Panels.figureNames().size() + 3)),
                    String.join(", ", Panels.names()),
                    Panels.MAIN,
                    String.join(", ", FigureFormat.extensions()),
                    PanelSize.DEFAULT.width(),
                    PanelSize.DEFAULT.height())
            + RunArguments.DATA_DIR
            + """
            out DIR  Folder to write into, or a file with an extension of --ext, which adds others.
                Default: RUN/plots of a single run, the folder plots beside the first of several.
            """);
  }
}
