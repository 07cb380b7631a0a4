package io.github.amb.plots.panel;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Bins of equal, round width, shared by the histograms of a panel.
 *
 * @param start lower edge of the first bin
 * @param width width of each bin
 * @param count number of bins
 */
record Bins(double start, double width, int count) {
  private static final int ABOUT = 40;

  /** Maximum number of bins that a picture can show. */
  private static final int MAX = 4000;

  /**
   * About forty bins over the values. Bins of integers are centered on integers.
   *
   * @param given width of bins of values that are not integers; empty for a round one. It is
   *     doubled until there are at most 4000 bins.
   */
  static Bins over(List<double[]> samples, boolean whole, OptionalDouble given) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] values : samples) {
      for (double value : values) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    double range = high > low ? high - low : whole ? 1 : Math.max(Math.abs(low), 1);
    double width = whole ? Math.max(1, roundUp(range / ABOUT)) : roundUp(range / ABOUT);
    if (!whole && given.isPresent()) {
      width = given.getAsDouble() * doublings(range / given.getAsDouble());
    }
    double shift = whole ? 0.5 : 0;
    double start = Math.floor((low + shift) / width) * width - shift;
    return new Bins(start, width, Math.max(1, (int) Math.floor((high - start) / width) + 1));
  }

  private static double doublings(double bins) {
    return Math.pow(2, Math.max(0, Math.ceil(Math.log(bins / MAX) / Math.log(2))));
  }

  /** The smallest of 1, 2 or 5 times a power of ten that is not less. */
  private static double roundUp(double width) {
    double power = Math.pow(10, Math.floor(Math.log10(width)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= width) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /**
   * Outline of a histogram: 0 at the lowest value's bin, each bin's lower edge and share of the
   * values in percent up to the highest value's bin, then 0.
   */
  List<Point> outline(double[] values) {
    int[] counts = new int[count];
    int first = count;
    int last = -1;
    for (double value : values) {
      int bin = bin(value);
      counts[bin]++;
      first = Math.min(first, bin);
      last = Math.max(last, bin);
    }
    List<Point> outline = new ArrayList<>();
    outline.add(new Point(start + first * width, 0));
    for (int i = first; i <= last; i++) {
      outline.add(new Point(start + i * width, 100.0 * counts[i] / values.length));
    }
    outline.add(new Point(start + (last + 1) * width, 0));
    return outline;
  }

  /** The bin of a value. Rounding may put a value at the first or last edge just outside. */
  private int bin(double value) {
    return Math.max(0, Math.min(count - 1, (int) Math.floor((value - start) / width)));
  }
}
