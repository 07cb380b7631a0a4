package io.github.amb.runtime.train;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** How long pieces of work take once they have got as fast as they get. */
public final class SteadyTimes {
  private static final int REPEATS = 9;
  private static final double NANOS = 1e9;

  /** Code goes on being compiled at least this long; its time may stand still meanwhile. */
  private static final double WARM_UP_SECONDS = 1;

  /** The last round is taken after this even if it was much faster than the one before. */
  private static final double MOST_SECONDS = 6;

  /** A round that is this much of the one before or more is no faster. */
  private static final double AS_FAST = 0.97;

  private final LongSupplier clock;

  /**
   * @param clock nanoseconds
   */
  SteadyTimes(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Medians in seconds, of the first round of repeats after the warm-up in which nothing got
   * faster. All are done in turns, so that what disturbs one disturbs the others.
   */
  public static double[] of(Runnable... works) {
    return new SteadyTimes(System::nanoTime).measure(works);
  }

  double[] measure(Runnable... works) {
    long start = clock.getAsLong();
    double[] before = round(works);
    while (secondsSince(start) < MOST_SECONDS) {
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
    for (int i = 0; i < now.length; i++) {
      if (now[i] < AS_FAST * before[i]) {
        return false;
      }
    }
    return true;
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
