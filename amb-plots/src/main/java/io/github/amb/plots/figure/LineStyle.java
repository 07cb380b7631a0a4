package io.github.amb.plots.figure;

import static io.github.amb.core.option.Decimal.format;

import java.awt.BasicStroke;
import java.awt.Color;

/** Color and dashes of each group of runs, for screens, for print, and for any color vision. */
public final class LineStyle {
  /**
   * Okabe and Ito's colors, which people with any color vision can tell apart, without the yellow
   * that is too faint for a line on white. See https://jfly.uni-koeln.de/color/.
   */
  private static final int[] PALETTE = {
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000
  };

  private static final float[][] DASHES = {
    null, {5, 2}, {1.2f, 1.6f}, {6, 2, 1.2f, 2}, {9, 2.5f}, {4, 1.5f, 1.2f, 1.5f, 1.2f, 1.5f}
  };

  /** Colors of a timeline's phases: work is dark, waiting is nearly the paper's color. */
  private static final int[] PHASES = {0x0072B2, 0xE69F00, 0xE6E6E6, 0xCC79A7, 0x000000};

  /** Shares of white in areas: in black and white, neighbors differ only by them. */
  private static final double[] TINTS = {0.15, 0.5, 0.75};

  /** Number of colors. */
  public static final int COLORS = PALETTE.length;

  /** Number of different lines: seven colors and six patterns have no common divisor. */
  public static final int COUNT = COLORS * DASHES.length;

  private LineStyle() {}

  /** Color of a group of runs. */
  public static Color color(int group) {
    return new Color(PALETTE[group % COLORS]);
  }

  /** Color of the areas of a group of runs: lighter, by a share that tells neighbors apart. */
  public static Color fill(int group) {
    Color color = color(group);
    double share = TINTS[group % TINTS.length];
    return new Color(
        light(color.getRed(), share),
        light(color.getGreen(), share),
        light(color.getBlue(), share));
  }

  /** Color of a phase of a timeline. */
  public static Color phase(int group) {
    return new Color(PHASES[group % PHASES.length]);
  }

  /** A color as pages have it, such as {@code #0072b2}. */
  public static String html(Color color) {
    return format("#%06x", color.getRGB() & 0xFFFFFF);
  }

  private static int light(int component, double share) {
    return (int) Math.round(component + (255 - component) * share);
  }

  /** Line of a group of runs, told apart from its neighbors in black and white too. */
  public static BasicStroke line(int group) {
    float[] dash = DASHES[group % DASHES.length];
    return new BasicStroke(1.1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
  }
}
