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
  private static final int MOST_LABELS = 6;

  LogScale(String label) {
    super(label);
  }

  @Override
  protected List<NumberTick> refreshTicksVertical(
      Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
    double low = getRange().getLowerBound();
    double high = getRange().getUpperBound();
    double decades = Math.log10(high / low);
    int every = (int) Math.max(1, Math.ceil(decades / MOST_LABELS));
    List<NumberTick> ticks = new ArrayList<>();
    int last = (int) Math.floor(Math.log10(high));
    for (int power = (int) Math.floor(Math.log10(low)); power <= last; power++) {
      for (int factor = 1; factor < 10; factor++) {
        double value = factor * Math.pow(10, power);
        if (value >= low && value <= high && (every == 1 || factor == 1)) {
          boolean inTens = factor == 1 && power % every == 0;
          boolean between = decades <= 3 && (factor == 2 || factor == 5);
          ticks.add(tick(factor, power, inTens || between));
        }
      }
    }
    return ticks;
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
