package io.github.amb.plots.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;

/**
 * A logarithmic axis with ticks at powers of ten. If few of them fit, it also has ticks at 2 and 5
 * times these; if hardly any fits, it has the ticks of a linear axis.
 */
final class LogScale extends LogAxis {
  private static final int FEWEST_LABELS = 3;
  private static final int MAX_LABELS = 6;

  /** Maximum number of decades with labels at 2 and 5 times their powers. */
  private static final double MAX_DECADES = 3;

  /** The same below a panel, where labels are side by side. */
  private static final double MAX_DECADES_ACROSS = 2;

  LogScale(String label) {
    super(label);
  }

  @Override
  protected List<NumberTick> refreshTicksVertical(
      Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
    return ticks(MAX_DECADES, FEWEST_LABELS);
  }

  @Override
  protected List<NumberTick> refreshTicksHorizontal(
      Graphics2D graphics, Rectangle2D area, RectangleEdge edge) {
    return ticks(MAX_DECADES_ACROSS, FEWEST_LABELS - 1).stream()
        .map(tick -> tick(tick.getValue(), tick.getText(), TextAnchor.TOP_CENTER))
        .toList();
  }

  private List<NumberTick> ticks(double maxDecades, int fewest) {
    List<NumberTick> ticks =
        powers(getRange().getLowerBound(), getRange().getUpperBound(), maxDecades);
    boolean few = ticks.stream().filter(LogScale::isMajor).count() < fewest;
    return few ? linear(getRange()) : ticks;
  }

  private static boolean isMajor(NumberTick tick) {
    return tick.getTickType().equals(TickType.MAJOR);
  }

  private static List<NumberTick> linear(Range range) {
    NumberTickUnit unit = Ticks.over(range, MAX_LABELS - 1, false);
    List<NumberTick> ticks = new ArrayList<>();
    long last = (long) Math.floor(range.getUpperBound() / unit.getSize());
    for (long i = (long) Math.ceil(range.getLowerBound() / unit.getSize()); i <= last; i++) {
      double value = i * unit.getSize();
      ticks.add(tick(value, unit.valueToString(value), TextAnchor.CENTER_RIGHT));
    }
    return ticks;
  }

  private static List<NumberTick> powers(double low, double high, double maxDecades) {
    double decades = Math.log10(high / low);
    int every = (int) Math.max(1, Math.ceil(decades / MAX_LABELS));
    List<NumberTick> ticks = new ArrayList<>();
    int last = (int) Math.floor(Math.log10(high));
    for (int power = (int) Math.floor(Math.log10(low)); power <= last; power++) {
      for (int factor = 1; factor < 10; factor++) {
        double value = factor * Math.pow(10, power);
        if (value >= low && value <= high && (every == 1 || factor == 1)) {
          boolean inTens = factor == 1 && power % every == 0;
          boolean between = decades <= maxDecades && (factor == 2 || factor == 5);
          ticks.add(
              tick(value, inTens || between ? label(factor, power) : "", TextAnchor.CENTER_RIGHT));
        }
      }
    }
    return ticks;
  }

  static NumberTick tick(double value, String label, TextAnchor anchor) {
    TickType type = label.isEmpty() ? TickType.MINOR : TickType.MAJOR;
    return new NumberTick(type, value, label, anchor, TextAnchor.CENTER, 0);
  }

  private static String label(int factor, int power) {
    return power >= -3 && power <= 3
        ? BigDecimal.valueOf(factor).scaleByPowerOfTen(power).toPlainString()
        : factor + "e" + power;
  }
}
