package io.github.amb.core.scheme.context;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.StepRecord;
import java.math.BigDecimal;
import java.util.List;

/**
 * What a run may use. It is used up by the first update that has used as much or more.
 *
 * @param unit what is counted: updates, examples, bytes or seconds
 * @param amount above 0
 */
public record Budget(String unit, double amount) {
  /** No limit. */
  public static final Budget NONE = new Budget("updates", Double.POSITIVE_INFINITY);

  /** The forms of its text. */
  public static final String FORMS = "updates=N, examples=N, bytes=N or seconds=N with N above 0";

  private static final List<String> UNITS = List.of("updates", "examples", "bytes", "seconds");

  /**
   * Reads a text such as {@code examples=50000}.
   *
   * @throws UsageException saying what it should be
   */
  public static Budget parse(String text) {
    int end = Math.max(0, text.indexOf('='));
    double amount = Decimal.any(text.substring(Math.min(end + 1, text.length())), 0);
    if (!UNITS.contains(text.substring(0, end)) || !(amount > 0 && Double.isFinite(amount))) {
      throw new UsageException("expected %s, found '%s'", FORMS, text);
    }
    return new Budget(text.substring(0, end), amount);
  }

  /** Whether there is a limit. */
  public boolean isLimit() {
    return amount < Double.POSITIVE_INFINITY;
  }

  /** As {@link #share(long, long, long, double)}, after an update. */
  public double share(StepRecord step) {
    long bytes = step.bytesSent() + step.bytesReceived();
    return share(step.step(), step.totalSamples(), bytes, step.time());
  }

  /** The share of it that is used: 1 or more if it is used up. */
  public double share(long updates, long examples, long bytes, double seconds) {
    double used =
        switch (unit) {
          case "updates" -> updates;
          case "examples" -> examples;
          case "bytes" -> bytes;
          default -> seconds;
        };
    return used / amount;
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    return unit + "=" + BigDecimal.valueOf(amount).stripTrailingZeros().toPlainString();
  }
}
