package io.github.amb.plots.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import org.jfree.chart.util.ShapeUtils;

/** Fonts, grays and thin strokes, the same in every panel; lengths in points of 1/72 inch. */
public final class Theme {
  public static final Color TEXT = new Color(0x1A1A1A);
  public static final Color FRAME = new Color(0x4D4D4D);
  static final Color GRID = new Color(0xE3E3E3);
  public static final BasicStroke THIN = new BasicStroke(0.5f);

  /** The marker for a line with a single point. */
  public static final Shape MARKER = new Ellipse2D.Double(-2, -2, 4, 4);

  /** The mark where a line ends before a gap. */
  static final Shape CROSS = ShapeUtils.createDiagonalCross(3, 0.4f);

  public static final String FAMILY = "DejaVu Sans";
  public static final Font LABEL = font(9);
  static final Font TICK = font(8);
  public static final Font CAPTION = font(7.5f);
  public static final Font TITLE = font(11);

  private Theme() {}

  /** Makes lines and text smooth and places them at fractions of a pixel. */
  public static void smooth(Graphics2D graphics) {
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  /**
   * DejaVu Sans, whose digits have equal widths; another sans-serif font if it is not installed.
   */
  private static Font font(float size) {
    Font font = new Font(FAMILY, Font.PLAIN, 1);
    Font found = font.getFamily().equals(FAMILY) ? font : new Font(Font.SANS_SERIF, Font.PLAIN, 1);
    return found.deriveFont(size);
  }
}
