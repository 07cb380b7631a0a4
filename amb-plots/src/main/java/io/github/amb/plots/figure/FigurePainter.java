package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.Size2D;

/** Lays a figure out on a page, in points: the title, panels in rows, the legend, the caption. */
final class FigurePainter {
  private static final double POINTS_PER_INCH = 72;
  private static final double GAP = 6;

  /** Most entries of a legend that a figure is widened for. */
  private static final int MAX_BESIDE = 3;

  static {
    // JFreeChart's own rotation of text makes outlines of it, which are not text in an SVG.
    TextUtils.setUseDrawRotatedStringWorkaround(false);
  }

  private final Figure figure;
  private final Legend legend;
  private final Caption title;
  private final Caption caption;
  private final int columns;
  private final double panelWidth;
  private final double panelHeight;

  /** Width of the page in points. */
  final double width;

  private final Size2D legendSize;
  private final Size2D titleSize;
  private final Size2D captionSize;

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
    legend = new Legend(figure);
    title = new Caption(figure.drawing().title(), Theme.TITLE);
    caption = new Caption(figure.drawing().caption(), Theme.CAPTION);
    Graphics2D ruler = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    Theme.smooth(ruler);
    width = width(legend, ruler);
    legendSize = legend.size(ruler, width - 2 * GAP);
    titleSize = title.size(ruler, width - 2 * GAP);
    captionSize = caption.size(ruler, width - 2 * GAP);
    ruler.dispose();
  }

  /**
   * That of the panels, or of the longest entry of the legend; of more entries side by side if the
   * legend would be higher than half of the panels.
   */
  private double width(Legend entries, Graphics2D ruler) {
    double most = rows() * panelHeight / 2;
    double wide = columns * panelWidth;
    for (int beside = 1; beside <= MAX_BESIDE; beside++) {
      wide = Math.max(wide, beside * entries.widest(ruler) + 2 * GAP);
      if (entries.size(ruler, wide - 2 * GAP).height <= most) {
        break;
      }
    }
    return wide;
  }

  private int rows() {
    return (figure.contents().size() + columns - 1) / columns;
  }

  private static int columns(int panels) {
    return panels <= 3 ? panels : panels == 4 ? 2 : 3;
  }

  /** Height of the page in points. */
  double height() {
    return captionTop() + (captionSize.height > 0 ? captionSize.height + GAP : 0);
  }

  private double legendTop() {
    return panelsTop() + rows() * panelHeight + GAP;
  }

  private double panelsTop() {
    return titleSize.height > 0 ? titleSize.height + 2 * GAP : 0;
  }

  private double captionTop() {
    return legendTop() + legendSize.height + GAP;
  }

  /**
   * Paints everything, one part at a time.
   *
   * @param canvas takes the name of a part (a panel, the legend or the caption) and its painting
   */
  void paint(BiConsumer<String, Consumer<Graphics2D>> canvas) {
    canvas.accept("background", this::paintBackground);
    if (titleSize.height > 0) {
      canvas.accept("title", graphics -> title.paint(graphics, centered(titleSize, GAP)));
    }
    for (int i = 0; i < figure.contents().size(); i++) {
      Content content = figure.contents().get(i);
      JFreeChart chart = PanelChart.of(content, figure.view(), panelWidth, panelHeight);
      Rectangle2D area = panelArea(i);
      canvas.accept(content.frame().name(), graphics -> chart.draw(graphics, area));
    }
    canvas.accept("legend", graphics -> legend.paint(graphics, centered(legendSize, legendTop())));
    if (captionSize.height > 0) {
      canvas.accept(
          "caption", graphics -> caption.paint(graphics, centered(captionSize, captionTop())));
    }
  }

  private Rectangle2D panelArea(int index) {
    double left = (width - columns * panelWidth) / 2;
    int row = index / columns;
    int column = index % columns;
    return new Rectangle2D.Double(
        left + column * panelWidth, panelsTop() + row * panelHeight, panelWidth, panelHeight);
  }

  private Rectangle2D centered(Size2D size, double top) {
    return new Rectangle2D.Double((width - size.width) / 2, top, size.width, size.height);
  }

  private void paintBackground(Graphics2D graphics) {
    graphics.setPaint(Color.WHITE);
    graphics.fill(new Rectangle2D.Double(0, 0, width, height()));
  }
}
