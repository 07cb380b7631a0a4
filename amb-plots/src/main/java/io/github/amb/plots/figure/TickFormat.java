package io.github.amb.plots.figure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** Numbers at ticks: as few digits as needed; 200k, 1.5M and 1e-5 for the large and the small. */
final class TickFormat extends NumberFormat {
  private static final long serialVersionUID = 1L;
  private static final MathContext DIGITS = new MathContext(6);

  @Override
  public StringBuffer format(double value, StringBuffer to, FieldPosition position) {
    return to.append(text(value));
  }

  @Override
  public StringBuffer format(long value, StringBuffer to, FieldPosition position) {
    return to.append(text(value));
  }

  @Override
  public Number parse(String source, ParsePosition position) {
    throw new UnsupportedOperationException("tick labels are not read");
  }

  private static String text(double value) {
    double size = Math.abs(value);
    if (size < 1e-12) {
      return "0";
    }
    if (size < 1e-3) {
      return scientific(value);
    }
    if (size < 1e4) {
      return plain(value);
    }
    return size < 1e6
        ? plain(value / 1e3) + "k"
        : size < 1e9 ? plain(value / 1e6) + "M" : plain(value / 1e9) + "G";
  }

  private static String plain(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  private static String scientific(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    return rounded.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
  }
}
