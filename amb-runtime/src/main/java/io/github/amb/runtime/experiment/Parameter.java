package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Decimal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * An option that a search varies. Its place is where densities are: a number, the logarithm of one,
 * or the index of a choice.
 *
 * @param name of the option
 * @param isLog whether the places of numbers are logarithms
 * @param isWhole whether numbers are integers, which have as much room as each other
 * @param low smallest number
 * @param high largest number
 * @param choices texts; empty for numbers
 */
public record Parameter(
    String name, boolean isLog, boolean isWhole, double low, double high, List<String> choices) {
  private static final MathContext DIGITS = new MathContext(4);

  /** The place of a number. */
  double place(double number) {
    return isLog ? StrictMath.log(number) : number;
  }

  /** The number of a value, which {@link #value} has made: itself, or the index of a choice. */
  public double number(String value) {
    return choices.isEmpty() ? Decimal.real(value) : choices.indexOf(value);
  }

  /** The value at a place, with four digits, which is never outside of the range. */
  String value(double place) {
    if (!choices.isEmpty()) {
      return choices.get((int) place);
    }
    double number = isLog ? StrictMath.exp(place) : place;
    double rounded =
        isWhole ? Math.rint(number) : new BigDecimal(number).round(DIGITS).doubleValue();
    return BigDecimal.valueOf(Math.max(low, Math.min(high, rounded)))
        .stripTrailingZeros()
        .toPlainString();
  }
}
