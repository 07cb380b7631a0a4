package io.github.amb.plots.figure;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.data.Range;

/**
 * Labels of the ticks of one linear axis, all with the same number of decimals and the same suffix:
 * k, M or G for large numbers, e-4 and the like for small ones, e12 for huge ones.
 */
final class Ticks extends NumberFormat {
  private final double scale;
  private final String suffix;
  private final DecimalFormat mantissa;

  private Ticks(double largest, double unit) {
    int power = (int) Math.floor(Math.log10(largest) + 1e-9);
    int exponent = power < -3 || power > 11 ? power : power < 4 ? 0 : power / 3 * 3;
    scale = Math.pow(10, exponent);
    suffix =
        switch (exponent) {
          case 0 -> "";
          case 3 -> "k";
          case 6 -> "M";
          case 9 -> "G";
          default -> "e" + exponent;
        };
    mantissa = new DecimalFormat("0", DecimalFormatSymbols.getInstance(Locale.ROOT));
    int decimals = Math.max(0, -(int) Math.floor(Math.log10(unit / scale) + 1e-9));
    mantissa.setMinimumFractionDigits(decimals);
    mantissa.setMaximumFractionDigits(decimals);
  }

  /**
   * The smallest unit of 1, 2 or 5 times a power of ten with at most {@code most} steps over a
   * range; at least 1 if the numbers are integers.
   */
  static NumberTickUnit over(Range range, int most, boolean whole) {
    double least = Math.max(whole ? 1 : 0, range.getLength() / most);
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double unit = least <= power ? power : 0;
    for (int factor : new int[] {2, 5, 10}) {
      unit = unit == 0 && least <= factor * power * (1 + 1e-9) ? factor * power : unit;
    }
    double largest = Math.max(Math.abs(range.getLowerBound()), Math.abs(range.getUpperBound()));
    return new NumberTickUnit(unit, new Ticks(largest, unit), 0);
  }

  @Override
  public StringBuffer format(double value, StringBuffer to, FieldPosition position) {
    double scaled = value / scale;
    return Math.abs(scaled) < 1e-9
        ? to.append('0')
        : to.append(mantissa.format(scaled)).append(suffix);
  }

  @Override
  public StringBuffer format(long value, StringBuffer to, FieldPosition position) {
    return format((double) value, to, position);
  }

  @Override
  public Number parse(String source, ParsePosition position) {
    throw new UnsupportedOperationException("tick labels are not read");
  }
}
