package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Scale;
import java.util.List;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.Range;

/** Creates the axes of a panel. */
final class PanelAxes {
  /** Minimum width of a tick and its label, in points. */
  private static final double TICK_WIDTH = 36;

  private static final double TICK_HEIGHT = 30;

  /** About the width of a letter of a tick's label, in points. */
  private static final double LETTER = 4.8;

  private PanelAxes() {}

  /** The x axis of a panel of a width in points. */
  static ValueAxis x(Axes frame, Range range, double width) {
    int ticks = (int) Math.max(2, width / TICK_WIDTH);
    ValueAxis axis =
        frame.xScale() == Scale.LOG2
            ? new Log2Scale(frame.x().label(), ticks)
            : frame.xScale() == Scale.LOG10
                ? new LogScale(frame.x().label())
                : axis(frame.x(), frame.xNames(), range, ticks);
    axis.setVerticalTickLabels(areNamesUpright(frame, width));
    return style(axis, range);
  }

  /**
   * Whether the names on the x axis must be upright, as they do not fit side by side; width in
   * points.
   */
  static boolean areNamesUpright(Axes frame, double width) {
    return frame.xNames().size() * (length(frame.xNames()) + LETTER) > width - TICK_WIDTH;
  }

  /** About the length of the longest name, in points; 0 without names. */
  static double length(List<String> names) {
    return LETTER * names.stream().mapToInt(String::length).max().orElse(0);
  }

  /** The y axis of a panel of a height in points. */
  static ValueAxis y(Axes frame, Range range, boolean logarithmic, double height) {
    int ticks = (int) Math.max(2, height / TICK_HEIGHT);
    ValueAxis axis =
        logarithmic
            ? new LogScale(frame.y().label())
            : axis(frame.y(), frame.yNames(), range, ticks);
    return style(axis, range);
  }

  private static ValueAxis axis(Quantity quantity, List<String> names, Range range, int ticks) {
    if (!names.isEmpty()) {
      SymbolAxis axis = new SymbolAxis(quantity.label(), names.toArray(String[]::new));
      axis.setGridBandsVisible(false);
      return axis;
    }
    NumberAxis axis = new NumberAxis(quantity.label());
    axis.setTickUnit(Ticks.over(range, ticks, quantity.isWhole()));
    return axis;
  }

  private static ValueAxis style(ValueAxis axis, Range range) {
    axis.setLabelFont(Theme.LABEL);
    axis.setLabelPaint(Theme.TEXT);
    axis.setLabelInsets(new RectangleInsets(2, 2, 2, 2));
    axis.setTickLabelFont(Theme.TICK);
    axis.setTickLabelPaint(Theme.TEXT);
    axis.setAxisLinePaint(Theme.FRAME);
    axis.setAxisLineStroke(Theme.THIN);
    axis.setTickMarkPaint(Theme.FRAME);
    axis.setTickMarkStroke(Theme.THIN);
    axis.setTickMarkOutsideLength(2.5f);
    axis.setTickMarksVisible(!(axis instanceof SymbolAxis));
    axis.setMinorTickMarksVisible(axis instanceof LogAxis);
    axis.setMinorTickMarkOutsideLength(1.5f);
    axis.setRange(range);
    return axis;
  }
}
