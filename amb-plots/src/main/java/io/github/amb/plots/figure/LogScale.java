package io.github.amb.plots.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with ticks at powers of ten, and at 2 and 5 times them where few fit. */
final class LogScale extends LogAxis {
  private static final long serialVersionUID = 1L;

  LogScale(String label) {
    super(label);
  }

  @Override
  protected List<NumberTick> refreshTicksVertical(
      Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
    double low = getRange().getLowerBound();
    double high = getRange().getUpperBound();
    int[] factors = Math.log10(high / low) > 3 ? new int[] {1} : new int[] {1, 2, 5};
    List<NumberTick> ticks = new ArrayList<>();
    int last = (int) Math.floor(Math.log10(high));
    for (int power = (int) Math.floor(Math.log10(low)); power <= last; power++) {
      for (int factor = 1; factor < 10; factor++) {
        double value = factor * Math.pow(10, power);
        if (value >= low && value <= high) {
          ticks.add(tick(factor, power, contains(factors, factor)));
        }
      }
    }
    return ticks;
  }

  private static boolean contains(int[] factors, int factor) {
    for (int f : factors) {
      if (f == factor) {
        return true;
      }
    }
    return false;
  }

  private static NumberTick tick(int factor, int power, boolean major) {
    double value = factor * Math.pow(10, power);
    return new NumberTick(
        major ? TickType.MAJOR : TickType.MINOR,
        value,
        major ? label(factor, power) : "",
        TextAnchor.CENTER_RIGHT,
        TextAnchor.CENTER,
        0);
  }

  private static String label(int factor, int power) {
    return power >= -3 && power <= 3
        ? BigDecimal.valueOf(factor).scaleByPowerOfTen(power).toPlainString()
        : factor + "e" + power;
  }
}
