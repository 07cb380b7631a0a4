package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.BiConsumer;
import org.jfree.chart.labels.XYItemLabelGenerator;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Draws points as rectangles, which are bars or spans, and as whiskers. */
final class AreaMarks {
  /** Maximum number of bars that have room for their values. */
  private static final int MAX_VALUES = 8;

  /** Half of the gap between a bar and its value in points; JFreeChart doubles it. */
  private static final RectangleInsets HALF_GAP = new RectangleInsets(1, 1, 1, 1);

  private AreaMarks() {}

  static XYIntervalSeriesCollection dataset(Content content) {
    boolean bars = content.frame().mark() == Mark.BARS;
    return dataset(
        content,
        (series, p) ->
            series.add(
                (p.x() + p.end()) / 2,
                p.x(),
                p.end(),
                p.y(),
                bars ? Math.min(0, p.y()) : p.low(),
                bars ? Math.max(0, p.y()) : p.high()));
  }

  static XYBarRenderer renderer(Content content) {
    XYBarRenderer renderer = new ValuedBars();
    renderer.setUseYInterval(true);
    renderer.setShadowVisible(false);
    renderer.setBarPainter(new StandardXYBarPainter());
    boolean bars = content.frame().mark() == Mark.BARS;
    renderer.setDrawBarOutline(bars);
    if (bars && !content.hasBand() && content.points().count() <= MAX_VALUES) {
      addValues(renderer);
    }
    for (int i = 0; i < content.series().size(); i++) {
      int style = content.series().get(i).style();
      renderer.setSeriesPaint(i, bars ? LineStyle.fill(style) : LineStyle.phase(style));
      renderer.setSeriesOutlinePaint(i, LineStyle.color(style));
      renderer.setSeriesOutlineStroke(i, Theme.THIN);
    }
    return renderer;
  }

  private static void addValues(XYBarRenderer renderer) {
    renderer.setDefaultItemLabelGenerator(
        (data, series, item) ->
            new BigDecimal(data.getYValue(series, item), new MathContext(3)).toPlainString());
    renderer.setDefaultItemLabelFont(Theme.TICK);
    renderer.setDefaultItemLabelPaint(Theme.TEXT);
    renderer.setItemLabelInsets(HALF_GAP);
    renderer.setDefaultItemLabelsVisible(true);
  }

  static XYIntervalSeriesCollection whiskers(Content content) {
    return dataset(
        content,
        (series, p) -> {
          double x = (p.x() + p.end()) / 2;
          series.add(x, x, x, p.y(), p.low(), p.high());
        });
  }

  private static XYIntervalSeriesCollection dataset(
      Content content, BiConsumer<XYIntervalSeries, Point> adding) {
    XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
    for (Series group : content.series()) {
      XYIntervalSeries series = new XYIntervalSeries(group.group(), false, true);
      group.points().forEach(point -> adding.accept(series, point));
      dataset.addSeries(series);
    }
    return dataset;
  }

  static XYErrorRenderer whiskerRenderer(Content content) {
    XYErrorRenderer renderer = new XYErrorRenderer();
    renderer.setDrawXError(false);
    renderer.setCapLength(4);
    renderer.setErrorPaint(Theme.TEXT);
    renderer.setErrorStroke(Theme.THIN);
    for (int i = 0; i < content.series().size(); i++) {
      renderer.setSeriesShapesVisible(i, false);
      renderer.setSeriesLinesVisible(i, false);
    }
    return renderer;
  }

  /** Bars with values that can be drawn in a PDF, too. */
  private static final class ValuedBars extends XYBarRenderer {
    /** JFreeChart 1.5.6 does not dispose of its copy, and PDF graphics require it. */
    @Override
    protected void drawItemLabel(
        Graphics2D graphics,
        XYDataset data,
        int series,
        int item,
        XYPlot plot,
        XYItemLabelGenerator generator,
        Rectangle2D bar,
        boolean negative) {
      double end = negative ? bar.getMaxY() : bar.getMinY();
      Graphics2D copy = (Graphics2D) graphics.create();
      drawItemLabel(
          copy, plot.getOrientation(), data, series, item, bar.getCenterX(), end, negative);
      copy.dispose();
    }
  }
}
