package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/**
 * Draws points as rectangles: bars with whiskers, in outlines dashed as the group's lines are, and
 * spans.
 */
final class AreaMarks {
  private AreaMarks() {}

  static XYIntervalSeriesCollection dataset(Content content) {
    boolean bars = content.frame().mark() == Mark.BARS;
    XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
    for (Series group : content.series()) {
      XYIntervalSeries series = new XYIntervalSeries(group.group(), false, true);
      for (Point point : group.points()) {
        series.add(
            (point.x() + point.end()) / 2,
            point.x(),
            point.end(),
            point.y(),
            bars ? Math.min(0, point.y()) : point.low(),
            bars ? Math.max(0, point.y()) : point.high());
      }
      dataset.addSeries(series);
    }
    return dataset;
  }

  static XYBarRenderer renderer(Content content) {
    XYBarRenderer renderer = new XYBarRenderer();
    renderer.setUseYInterval(true);
    renderer.setShadowVisible(false);
    renderer.setBarPainter(new StandardXYBarPainter());
    boolean outlined = content.frame().mark() == Mark.BARS;
    renderer.setDrawBarOutline(outlined);
    for (int i = 0; i < content.series().size(); i++) {
      int group = content.series().get(i).group();
      renderer.setSeriesPaint(i, LineStyle.fill(group));
      renderer.setSeriesOutlinePaint(i, LineStyle.color(group));
      renderer.setSeriesOutlineStroke(i, LineStyle.line(group));
    }
    return renderer;
  }

  static XYIntervalSeriesCollection whiskers(Content content) {
    XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
    for (Series group : content.series()) {
      XYIntervalSeries series = new XYIntervalSeries(group.group(), false, true);
      for (Point point : group.points()) {
        double x = (point.x() + point.end()) / 2;
        series.add(x, x, x, point.y(), point.low(), point.high());
      }
      dataset.addSeries(series);
    }
    return dataset;
  }

  static XYErrorRenderer whiskerRenderer(Content content) {
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    renderer.setErrorPaint(Theme.TEXT);
    renderer.setErrorStroke(Theme.THIN);
    for (int i = 0; i < content.series().size(); i++) {
      renderer.setSeriesShapesVisible(i, false);
      renderer.setSeriesLinesVisible(i, false);
    }
    return renderer;
  }
}
