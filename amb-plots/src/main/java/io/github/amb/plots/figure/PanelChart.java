package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.View;
import java.awt.Color;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/** Creates the chart of one panel, without legend and title. */
public final class PanelChart {
  private static final double LEFT = 46;
  private static final double LEFT_OF_NAMES = 62;

  /** Beside names: an axis' label, and the gap between. */
  private static final double LETTERS = 20;

  private static final double BOTTOM = 32;
  private static final double MAX_BOTTOM = 90;
  private static final double GAP = 8;

  private PanelChart() {}

  /** The chart of a panel of a size in points. */
  public static JFreeChart of(Content content, View view, double width, double height) {
    AxisRanges ranges = AxisRanges.of(content, view);
    ValueAxis x = PanelAxes.x(content.frame(), ranges.x(), width);
    boolean yLog = AxisRanges.isYLogarithmic(content, view);
    ValueAxis y = PanelAxes.y(content.frame(), ranges.y(), yLog, height);
    XYPlot plot = plot(content, x, y, yLog ? ranges.y().getLowerBound() : 0);
    double names = Math.min(width / 2, PanelAxes.length(content.frame().yNames()) + LETTERS);
    double left = content.frame().yNames().isEmpty() ? LEFT : Math.max(LEFT_OF_NAMES, names);
    style(plot, left, bottom(content, width));
    JFreeChart chart = new JFreeChart(null, null, plot, false);
    chart.setBackgroundPaint(null);
    chart.setPadding(new RectangleInsets(6, 2, 2, 12));
    return chart;
  }

  private static XYPlot plot(Content content, ValueAxis x, ValueAxis y, double least) {
    XYPlot plot = new XYPlot(null, x, y, null);
    switch (content.frame().mark()) {
      case BARS, SPANS -> {
        plot.setDataset(0, AreaMarks.dataset(content));
        plot.setRenderer(0, AreaMarks.renderer(content));
      }
      case LINE, DOTS, OUTLINE -> {
        plot.setDataset(0, LineMarks.dataset(content, least));
        plot.setRenderer(0, LineMarks.renderer(content));
      }
    }
    plot.setDomainGridlinesVisible(content.frame().mark() != Mark.BARS);
    plot.setRangeGridlinesVisible(content.frame().mark() != Mark.SPANS);
    y.setInverted(!content.frame().yNames().isEmpty());
    if (content.frame().mark() == Mark.BARS && content.hasBand()) {
      plot.setDataset(1, AreaMarks.whiskers(content));
      plot.setRenderer(1, AreaMarks.whiskerRenderer(content));
    }
    return plot;
  }

  private static double bottom(Content content, double width) {
    boolean upright = PanelAxes.areNamesUpright(content.frame(), width);
    double names = upright ? PanelAxes.length(content.frame().xNames()) : 0;
    return Math.max(BOTTOM, Math.min(MAX_BOTTOM, names + GAP));
  }

  private static void style(XYPlot plot, double left, double bottom) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlineVisible(false);
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    plot.setInsets(RectangleInsets.ZERO_INSETS);
    plot.setDomainGridlinePaint(Theme.GRID);
    plot.setDomainGridlineStroke(Theme.THIN);
    plot.setRangeGridlinePaint(Theme.GRID);
    plot.setRangeGridlineStroke(Theme.THIN);
    plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD);
    plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    AxisSpace beside = new AxisSpace();
    beside.setLeft(left);
    plot.setFixedRangeAxisSpace(beside);
    AxisSpace below = new AxisSpace();
    below.setBottom(bottom);
    plot.setFixedDomainAxisSpace(below);
  }
}
