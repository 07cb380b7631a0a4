package io.github.amb.plots.figure;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.block.ColumnArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.Size2D;
import org.jfree.chart.ui.VerticalAlignment;
import org.jfree.data.Range;

/** One legend for all panels of a figure. */
final class Legend {
  private static final Shape SAMPLE = new Line2D.Double(-14, 0, 14, 0);

  private static final Shape PATCH = new Rectangle2D.Double(-8, -4, 16, 8);

  private static final double SPACE = 6;

  /** Room between entries. */
  private static final double BETWEEN = 16;

  private final List<String> labels;
  private final LegendTitle title;

  /** Makes a legend of the groups that a figure draws, by their indices. */
  Legend(Figure figure) {
    labels = figure.drawing().labels();
    LegendItemCollection items = new LegendItemCollection();
    for (int group = 0; group < labels.size(); group++) {
      if (figure.isExplained(group)) {
        items.add(item(labels.get(group), group, figure));
      }
    }
    title =
        new LegendTitle(
            () -> items,
            new FlowArrangement(HorizontalAlignment.CENTER, VerticalAlignment.CENTER, BETWEEN, 3),
            new ColumnArrangement());
    title.setItemFont(Theme.LABEL);
    title.setItemPaint(Theme.TEXT);
    title.setItemLabelPadding(new RectangleInsets(0, SPACE, 0, 0));
    title.setLegendItemGraphicPadding(RectangleInsets.ZERO_INSETS);
    title.setMargin(RectangleInsets.ZERO_INSETS);
    title.setPadding(RectangleInsets.ZERO_INSETS);
  }

  private static LegendItem item(String label, int group, Figure figure) {
    int style = figure.style(group);
    LegendItem item =
        switch (figure.mark(group)) {
          case BARS -> area(label, LineStyle.fill(style), LineStyle.color(style));
          case SPANS -> area(label, LineStyle.phase(style), Theme.FRAME);
          case LINE -> figure.isPoint(group) ? marker(label, style) : line(label, style);
          case DOTS, OUTLINE -> line(label, style);
        };
    item.setLabelFont(Theme.LABEL);
    return item;
  }

  private static LegendItem marker(String label, int style) {
    return new LegendItem(label, null, null, null, Theme.MARKER, LineStyle.color(style));
  }

  private static LegendItem area(String label, Color fill, Color outline) {
    return new LegendItem(label, null, null, null, PATCH, fill, Theme.THIN, outline);
  }

  private static LegendItem line(String label, int style) {
    return new LegendItem(
        label, null, null, null, SAMPLE, LineStyle.line(style), LineStyle.color(style));
  }

  /** Size in points when wrapped to a width in points. */
  Size2D size(Graphics2D graphics, double width) {
    Range any = new Range(0, Double.MAX_VALUE);
    return title.arrange(graphics, new RectangleConstraint(new Range(0, width), any));
  }

  /** Width in points of the longest entry, which is not wrapped. */
  double widest(Graphics2D graphics) {
    return labels.stream()
            .mapToDouble(
                label ->
                    Theme.LABEL.getStringBounds(label, graphics.getFontRenderContext()).getWidth())
            .max()
            .orElse(0)
        + SAMPLE.getBounds2D().getWidth()
        + SPACE
        + BETWEEN;
  }

  /** Paints into an area of that size. */
  void paint(Graphics2D graphics, Rectangle2D area) {
    title.draw(graphics, area);
  }
}
