package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.Range;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** Makes a chart of one panel, without legend or title. */
final class PanelChart {
  private static final double LEFT = 46;
  private static final double BOTTOM = 32;

  /** Least room for a tick and its label. */
  private static final double TICK_WIDTH = 36;

  private static final double TICK_HEIGHT = 30;

  private PanelChart() {}

  /** The chart of a panel of a size in points. */
  static JFreeChart of(Content content, View view, double width, double height) {
    AxisRanges ranges = AxisRanges.of(content, view);
    NumberAxis x = new NumberAxis(content.panel().x().label());
    style(x);
    x.setRange(ranges.x());
    int across = (int) Math.max(2, width / TICK_WIDTH);
    x.setTickUnit(Ticks.over(ranges.x(), across, content.panel().x().isWhole()));
    int up = (int) Math.max(2, height / TICK_HEIGHT);
    ValueAxis y = yAxis(content, view, ranges.y(), up);
    style(y);
    y.setRange(ranges.y());
    XYPlot plot = new XYPlot(dataset(content), x, y, renderer(content));
    style(plot);
    JFreeChart chart = new JFreeChart(null, null, plot, false);
    chart.setBackgroundPaint(null);
    chart.setPadding(new RectangleInsets(6, 2, 2, 12));
    return chart;
  }

  private static ValueAxis yAxis(Content content, View view, Range range, int up) {
    if (view.yLog() && !content.panel().isHistogram()) {
      return new LogScale(content.panel().y().label());
    }
    NumberAxis axis = new NumberAxis(content.panel().y().label());
    axis.setTickUnit(Ticks.over(range, up, content.panel().y().isWhole()));
    return axis;
  }

  private static void style(ValueAxis axis) {
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
    axis.setMinorTickMarksVisible(axis instanceof LogScale);
    axis.setMinorTickMarkOutsideLength(1.5f);
  }

  private static void style(XYPlot plot) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    plot.setInsets(RectangleInsets.ZERO_INSETS);
    plot.setDomainGridlinePaint(Theme.GRID);
    plot.setDomainGridlineStroke(Theme.THIN);
    plot.setRangeGridlinePaint(Theme.GRID);
    plot.setRangeGridlineStroke(Theme.THIN);
    plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD);
    AxisSpace left = new AxisSpace();
    left.setLeft(LEFT);
    plot.setFixedRangeAxisSpace(left);
    AxisSpace bottom = new AxisSpace();
    bottom.setBottom(BOTTOM);
    plot.setFixedDomainAxisSpace(bottom);
  }

  private static YIntervalSeriesCollection dataset(Content content) {
    YIntervalSeriesCollection dataset = new YIntervalSeriesCollection();
    for (Series line : content.series()) {
      YIntervalSeries series = new YIntervalSeries(line.group(), false, true);
      List<Point> points =
          content.panel().isHistogram() ? stairs(line.points()) : M4.thin(line.points());
      points.forEach(point -> series.add(point.x(), point.y(), point.low(), point.high()));
      dataset.addSeries(series);
    }
    return dataset;
  }

  /** The corners of a histogram's outline, given each bin's lower edge and height. */
  private static List<Point> stairs(List<Point> bins) {
    List<Point> corners = new ArrayList<>();
    for (int i = 0; i < bins.size(); i++) {
      corners.add(bins.get(i));
      if (i + 1 < bins.size()) {
        corners.add(new Point(bins.get(i + 1).x(), bins.get(i).y()));
      }
    }
    return corners;
  }

  private static XYLineAndShapeRenderer renderer(Content content) {
    XYLineAndShapeRenderer renderer =
        content.hasBand()
            ? new DeviationRenderer(true, false)
            : new XYLineAndShapeRenderer(true, false);
    renderer.setDrawSeriesLineAsPath(true);
    for (int i = 0; i < content.series().size(); i++) {
      Series line = content.series().get(i);
      Color colour = LineStyle.colour(line.group());
      renderer.setSeriesPaint(i, colour);
      renderer.setSeriesFillPaint(i, colour);
      renderer.setSeriesStroke(i, LineStyle.line(line.group()));
      renderer.setSeriesShape(i, Theme.MARKER);
      renderer.setSeriesShapesVisible(i, line.points().size() == 1);
    }
    if (renderer instanceof DeviationRenderer band) {
      band.setAlpha(0.2f);
    }
    return renderer;
  }
}
