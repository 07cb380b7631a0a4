package io.github.amb.core.scheme.context;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.record.TestProgress;

/**
 * When training is over: as soon as one of these is reached.
 *
 * @param lastStep number of updates; 0 for no limit
 * @param maxEpochs training examples processed, in sizes of the training set; infinite for no limit
 * @param maxTime seconds since the first step began; infinite for no limit
 * @param targetAccuracy test accuracy, 0 to 1; {@link #NO_TARGET} for none
 * @param targetLoss test loss; NaN for none
 * @param patience number of tests in a row without improvement; 0 for no limit
 * @param budget what the run may use
 */
public record StopRule(
    long lastStep,
    double maxEpochs,
    double maxTime,
    double targetAccuracy,
    double targetLoss,
    long patience,
    Budget budget) {
  /** A target accuracy that is never reached. */
  public static final double NO_TARGET = 2;

  /** Ends after {@code lastStep} updates. */
  public static StopRule after(long lastStep) {
    double none = Double.POSITIVE_INFINITY;
    return new StopRule(lastStep, none, none, NO_TARGET, Double.NaN, 0, Budget.NONE);
  }

  /** Whether tests have reached the accuracy or the loss, or have brought nothing for so long. */
  public boolean endsAt(TestProgress tests) {
    return !reason(tests).isEmpty();
  }

  /** Why tests end training, in words; empty if they do not. */
  public String reason(TestProgress tests) {
    if (tests.bestAccuracy() >= targetAccuracy) {
      return format("the accuracy of a test, %.4g, has reached the target", tests.bestAccuracy());
    }
    if (tests.bestLoss() <= targetLoss) {
      return format("the loss of a test, %.4g, has reached the target", tests.bestLoss());
    }
    return patience > 0 && tests.stale() >= patience
        ? format("%d tests in a row have brought no improvement", tests.stale())
        : "";
  }

  boolean reached(long step, double epochs, long start, long now, TestProgress tests) {
    return (lastStep > 0 && step >= lastStep)
        || epochs >= maxEpochs
        || Clock.seconds(start, now) >= maxTime
        || endsAt(tests);
  }
}
