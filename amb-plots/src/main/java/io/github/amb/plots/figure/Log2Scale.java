package io.github.amb.plots.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic x axis with ticks at powers of two. */
final class Log2Scale extends LogAxis {
  private final int most;

  /**
   * @param most maximum number of labels
   */
  Log2Scale(String label, int most) {
    super(label);
    this.most = most;
  }

  @Override
  protected List<NumberTick> refreshTicksHorizontal(
      Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
    int first = (int) Math.ceil(log2(getRange().getLowerBound()) - 1e-9);
    int last = (int) Math.floor(log2(getRange().getUpperBound()) + 1e-9);
    int every = Math.max(1, (int) Math.ceil((last - first + 1.0) / most));
    List<NumberTick> ticks = new ArrayList<>();
    for (int power = first; power <= last; power++) {
      String label = (power - first) % every == 0 ? label(power) : "";
      ticks.add(LogScale.tick(Math.pow(2, power), label, TextAnchor.TOP_CENTER));
    }
    return ticks;
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static String label(int power) {
    return power >= 0 && power <= 16 ? Long.toString(1L << power) : "2^" + power;
  }
}
