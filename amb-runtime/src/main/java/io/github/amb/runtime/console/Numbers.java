package io.github.amb.runtime.console;

import static io.github.amb.core.option.Decimal.format;

import java.math.BigDecimal;
import java.math.MathContext;

/** Formats numbers as Python does in the predecessor program AMB; Java's formatter cannot. */
final class Numbers {
  private static final MathContext DIGITS = new MathContext(6);
  private static final int SMALLEST_PLAIN_EXPONENT = -4;

  private Numbers() {}

  /**
   * {@code value} as C's {@code %g} writes it: six significant digits without trailing zeros, with
   * an exponent below 1e-4 and from 1e6.
   */
  static String general(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : Double.toString(value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < DIGITS.getPrecision()) {
      return rounded.toPlainString();
    }
    String mantissa = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
    return format("%se%+03d", mantissa, exponent);
  }
}
