package io.github.amb.plots.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;

/** Fonts, colours and strokes; lengths in points of 1/72 inch. */
final class Theme {
  static final Color TEXT = new Color(0x1A1A1A);
  static final Color FRAME = new Color(0x4D4D4D);
  static final Color GRID = new Color(0xE3E3E3);
  static final BasicStroke THIN = new BasicStroke(0.5f);

  /** Stands for a line of a single point. */
  static final Shape MARKER = new Ellipse2D.Double(-2, -2, 4, 4);

  static final String FAMILY = "DejaVu Sans";
  static final Font LABEL = font(9);
  static final Font TICK = font(8);
  static final Font CAPTION = font(7.5f);

  /**
   * Okabe and Ito's colours, which people with any colour vision can tell apart, without the yellow
   * that is too faint for a line on white. See https://jfly.uni-koeln.de/color/.
   */
  private static final Color[] COLOURS = {
    new Color(0x0072B2),
    new Color(0xD55E00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9),
    new Color(0x000000)
  };

  private static final float[][] DASHES = {
    null, {5, 2}, {1.2f, 1.6f}, {6, 2, 1.2f, 2}, {9, 2.5f}, {4, 1.5f, 1.2f, 1.5f, 1.2f, 1.5f}
  };

  /** Number of different lines: seven colours and six patterns have no common divisor. */
  static final int LINES = COLOURS.length * DASHES.length;

  private Theme() {}

  /** Colour of a group of runs. */
  static Color colour(int group) {
    return COLOURS[group % COLOURS.length];
  }

  /** Line of a group of runs, told apart from its neighbours in black and white too. */
  static BasicStroke line(int group) {
    float[] dash = DASHES[group % DASHES.length];
    return new BasicStroke(1.1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
  }

  /** Makes lines and text smooth and places them at fractions of a pixel. */
  static void smooth(Graphics2D graphics) {
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  /** DejaVu Sans, whose digits are of one width; any sans-serif where it is not installed. */
  private static Font font(float size) {
    Font font = new Font(FAMILY, Font.PLAIN, 1);
    Font found = font.getFamily().equals(FAMILY) ? font : new Font(Font.SANS_SERIF, Font.PLAIN, 1);
    return found.deriveFont(size);
  }
}
