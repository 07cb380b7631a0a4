package io.github.amb.runtime.train.part;

import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Measures how long pieces of work take after the warm-up.
 *
 * @param clock the current time in nanoseconds
 */
public record SteadyTimes(LongSupplier clock) {
  private static final int REPEATS = 9;
  private static final double NANOS = 1e9;

  /**
   * Seconds of warm-up. Code is compiled in the background meanwhile, although its time may seem
   * constant.
   */
  private static final double WARM_UP_SECONDS = 1;

  /** Seconds after which the last round is used even if it was faster than the one before. */
  private static final double MAX_SECONDS = 6;

  /** A round is not faster if it takes at least this share of the time of the round before. */
  private static final double AS_FAST = 0.97;

  /**
   * Medians in seconds, one per work, of the first round of repetitions after the warm-up that is
   * not faster than the round before. Works take turns, so that a disturbance affects all of them.
   */
  public static double[] of(Runnable... works) {
    return new SteadyTimes(System::nanoTime).measure(works);
  }

  double[] measure(Runnable... works) {
    long start = clock.getAsLong();
    double[] before = round(works);
    while (secondsSince(start) < MAX_SECONDS) {
      double[] now = round(works);
      if (secondsSince(start) > WARM_UP_SECONDS && isSteady(before, now)) {
        return now;
      }
      before = now;
    }
    return before;
  }

  private double secondsSince(long start) {
    return (clock.getAsLong() - start) / NANOS;
  }

  private static boolean isSteady(double[] before, double[] now) {
    return IntStream.range(0, now.length).noneMatch(i -> now[i] < AS_FAST * before[i]);
  }

  private double[] round(Runnable[] works) {
    double[][] seconds = new double[works.length][REPEATS];
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      for (int i = 0; i < works.length; i++) {
        long start = clock.getAsLong();
        works[i].run();
        seconds[i][repeat] = secondsSince(start);
      }
    }
    return Arrays.stream(seconds).mapToDouble(SteadyTimes::median).toArray();
  }

  private static double median(double[] seconds) {
    Arrays.sort(seconds);
    return seconds[seconds.length / 2];
  }
}
