package io.github.amb.plots.figure;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.Size2D;
import org.jfree.data.Range;

/** Text of a figure: its title, or what lines and bands are; wrapped to the page. */
final class Caption {
  private final TextTitle title;

  Caption(String text, Font font) {
    title = new TextTitle(text, font);
    title.setPaint(Theme.TEXT);
    title.setPadding(RectangleInsets.ZERO_INSETS);
    title.setMargin(RectangleInsets.ZERO_INSETS);
  }

  /** Size in points if wrapped to a width in points; zero for an empty text. */
  Size2D size(Graphics2D graphics, double width) {
    Range any = new Range(0, Double.MAX_VALUE);
    return title.getText().isEmpty()
        ? new Size2D()
        : title.arrange(graphics, new RectangleConstraint(new Range(0, width), any));
  }

  /** Paints into an area of that size. */
  void paint(Graphics2D graphics, Rectangle2D area) {
    title.draw(graphics, area);
  }
}
