package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;

/**
 * When training is over: as soon as one of these is reached.
 *
 * @param lastStep number of updates; 0 for no limit
 * @param maxEpochs training examples processed, in sizes of the training set; infinite for no limit
 * @param maxTime seconds since the first step began; infinite for no limit
 * @param targetAccuracy test accuracy, 0 to 1; {@link #NO_TARGET} for none
 */
public record StopRule(long lastStep, double maxEpochs, double maxTime, double targetAccuracy) {
  /** A target accuracy that is never reached. */
  public static final double NO_TARGET = 2;

  /** Ends after {@code lastStep} updates. */
  public static StopRule after(long lastStep) {
    return new StopRule(lastStep, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, NO_TARGET);
  }

  boolean reached(long step, double epochs, long start, long now, double bestAccuracy) {
    return (lastStep > 0 && step >= lastStep)
        || epochs >= maxEpochs
        || Clock.seconds(start, now) >= maxTime
        || bestAccuracy >= targetAccuracy;
  }
}
