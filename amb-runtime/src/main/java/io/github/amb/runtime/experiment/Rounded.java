package io.github.amb.runtime.experiment;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers with four significant digits, for people. */
public final class Rounded {
  private static final int DIGITS = 4;

  private Rounded() {}

  /** The number; a dash for NaN. Digits before the point are never cut. */
  public static String of(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "∞" : "-∞";
    }
    BigDecimal exact = BigDecimal.valueOf(value);
    int before = exact.precision() - exact.scale();
    BigDecimal rounded =
        before >= DIGITS
            ? exact.setScale(0, RoundingMode.HALF_EVEN)
            : exact.round(new MathContext(DIGITS));
    return value == 0 ? "0" : plain(rounded);
  }

  private static String plain(BigDecimal rounded) {
    String text = rounded.stripTrailingZeros().toPlainString();
    int point = text.indexOf('.') < 0 ? text.length() : text.indexOf('.');
    String whole = text.substring(0, point).replaceAll("(?<=\\d)(?=(\\d{3})+$)", ",");
    return whole + text.substring(point);
  }
}
