package io.github.amb.plots.figure;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.ui.Size2D;

/** Lays a figure out on a page: panels in rows, the legend below, the caption last. */
final class FigurePainter {
  private static final double POINTS_PER_INCH = 72;
  private static final double GAP = 6;

  private final Figure figure;
  private final Legend legend;
  private final int columns;
  private final double panelWidth;
  private final double panelHeight;
  private final Size2D legendSize;

  /**
   * Lays the figure out.
   *
   * @throws MissingFontsException if Java finds no fonts
   */
  FigurePainter(Figure figure) {
    FontCheck.requireFonts();
    this.figure = figure;
    columns = columns(figure.contents().size());
    panelWidth = figure.size().width() * POINTS_PER_INCH;
    panelHeight = figure.size().height() * POINTS_PER_INCH;
    legend = new Legend(figure.labels());
    Graphics2D ruler = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    Theme.smooth(ruler);
    legendSize = legend.size(ruler, width() - 2 * GAP);
    ruler.dispose();
  }

  private static int columns(int panels) {
    return panels <= 3 ? panels : panels == 4 ? 2 : 3;
  }

  /** Width of the page in points. */
  double width() {
    return columns * panelWidth;
  }

  /** Height of the page in points. */
  double height() {
    return legendTop()
        + legendSize.height
        + GAP
        + (figure.caption().isEmpty() ? 0 : captionHeight());
  }

  private double legendTop() {
    int rows = (figure.contents().size() + columns - 1) / columns;
    return rows * panelHeight + GAP;
  }

  private static double captionHeight() {
    return Theme.CAPTION.getSize2D() + GAP;
  }

  /** Paints everything, one part at a time, in points. */
  void paint(Canvas canvas) {
    canvas.part("background", this::paintBackground);
    for (int i = 0; i < figure.contents().size(); i++) {
      Content content = figure.contents().get(i);
      JFreeChart chart = PanelChart.of(content, figure.view(), panelWidth, panelHeight);
      Rectangle2D area =
          new Rectangle2D.Double(
              i % columns * panelWidth, i / columns * panelHeight, panelWidth, panelHeight);
      canvas.part(content.panel().name(), graphics -> chart.draw(graphics, area));
    }
    Rectangle2D area =
        new Rectangle2D.Double(
            (width() - legendSize.width) / 2, legendTop(), legendSize.width, legendSize.height);
    canvas.part("legend", graphics -> legend.paint(graphics, area));
    if (!figure.caption().isEmpty()) {
      canvas.part("caption", this::paintCaption);
    }
  }

  private void paintBackground(Graphics2D graphics) {
    graphics.setPaint(Color.WHITE);
    graphics.fill(new Rectangle2D.Double(0, 0, width(), height()));
  }

  private void paintCaption(Graphics2D graphics) {
    graphics.setFont(Theme.CAPTION);
    graphics.setPaint(Theme.TEXT);
    double textWidth =
        graphics.getFontMetrics().getStringBounds(figure.caption(), graphics).getWidth();
    float x = (float) Math.max(GAP, (width() - textWidth) / 2);
    graphics.drawString(figure.caption(), x, (float) (height() - GAP - 1));
  }
}
