package io.github.amb.runtime.experiment;

import io.github.amb.core.statistic.Band;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers with four significant digits, for people. */
public final class Rounded {
  private static final int DIGITS = 4;

  /** What values may differ by, as a share, and be the same but for rounding. */
  private static final double SAME = 1e-6;

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

  /** A number of a band, with as many decimals as give half of the band's width two digits. */
  static String of(double value, Band band) {
    double half = (band.high() - band.low()) / 2;
    if (!(half > SAME * Math.abs(band.mean())) || !Double.isFinite(half)) {
      return of(value);
    }
    int decimals = Math.max(0, 1 - (int) Math.floor(Math.log10(half)));
    return grouped(
        BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString());
  }

  private static String plain(BigDecimal rounded) {
    return grouped(rounded.stripTrailingZeros().toPlainString());
  }

  private static String grouped(String text) {
    int point = text.indexOf('.') < 0 ? text.length() : text.indexOf('.');
    String whole = text.substring(0, point).replaceAll("(?<=\\d)(?=(\\d{3})+$)", ",");
    return whole + text.substring(point);
  }
}
