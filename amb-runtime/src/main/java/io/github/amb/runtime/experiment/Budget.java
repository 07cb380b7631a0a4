package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.util.List;
import java.util.OptionalLong;

/**
 * What each run may use before its numbers are taken, so that all runs have used the same.
 *
 * @param unit what is counted
 * @param amount above 0
 */
record Budget(String unit, double amount) {
  /** No run is cut. */
  static final Budget NONE = new Budget("", Double.POSITIVE_INFINITY);

  private static final List<String> UNITS = List.of("updates", "examples", "bytes", "seconds");

  /**
   * Reads a text such as {@code examples=50000}; an empty one is none.
   *
   * @throws UsageException saying what it should be
   */
  static Budget parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    int end = text.indexOf('=');
    String number = text.substring(end + 1);
    double amount = Decimal.any(number, 0);
    if (end < 0
        || !UNITS.contains(text.substring(0, end))
        || !(amount > 0 && Double.isFinite(amount))) {
      throw new UsageException(
          "budget: expected updates=N, examples=N, bytes=N or seconds=N with N above 0, found '%s'",
          text);
    }
    return new Budget(text.substring(0, end), amount);
  }

  /** Whether there is one. */
  boolean cuts() {
    return this != NONE;
  }

  /**
   * The number of a run, up to the first update that has used the budget up. A run that ends before
   * has no number, unless it has reached the measure's target.
   */
  RunMeasure.Measured of(RunMeasure measure, List<LogRecord> master) {
    if (!cuts()) {
      return measure.of(master);
    }
    OptionalLong last =
        LogRecord.of(StepRecord.class, master).stream()
            .filter(step -> used(step) >= amount)
            .mapToLong(StepRecord::step)
            .min();
    if (last.isEmpty()) {
      return measure.hasTarget() ? measure.of(master) : RunMeasure.Measured.NONE;
    }
    return measure.of(master.stream().filter(record -> record.step() <= last.getAsLong()).toList());
  }

  private double used(StepRecord step) {
    return switch (unit) {
      case "updates" -> step.step();
      case "examples" -> step.totalSamples();
      case "bytes" -> (double) step.bytesSent() + step.bytesReceived();
      default -> step.time();
    };
  }
}
