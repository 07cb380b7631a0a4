package io.github.amb.core.engine;

/**
 * Monotonic time of a rank.
 *
 * <p>On a real engine, {@link #now} is {@link System#nanoTime} and {@link #charge} does nothing. On
 * the virtual cluster, only sleeps, charged work and messages advance time.
 */
public interface Clock {
  /** A deadline that never passes. */
  long NEVER = Long.MAX_VALUE;

  /** Nanoseconds in a second. */
  double NANOS_PER_SECOND = 1e9;

  /** Nanoseconds since an arbitrary fixed origin; never decreases. */
  long now();

  /**
   * Blocks the calling rank.
   *
   * @param nanos nanoseconds to sleep; zero or less returns at once
   * @throws EngineException if the thread is interrupted
   */
  void sleep(long nanos);

  /**
   * Accounts for work that was just done, or that the virtual cluster skips.
   *
   * @param work kind of work
   * @param amount amount of it, in the unit of {@code work}
   */
  void charge(Work work, long amount);

  /**
   * By how much {@link #charge} would advance the time, in nanoseconds; in place of a charge, a
   * rank may wait so long. 0 on a real engine, where the work itself takes its time.
   */
  default long cost(Work work, long amount) {
    return 0;
  }

  /** Seconds from {@code start} to {@code end}, both from {@link #now}. */
  static double seconds(long start, long end) {
    return (end - start) / NANOS_PER_SECOND;
  }

  /**
   * Converts {@code seconds} to nanoseconds, rounded to the nearest.
   *
   * @return {@link #NEVER} if {@code seconds} is infinite
   */
  static long nanos(double seconds) {
    return Double.isInfinite(seconds) ? NEVER : Math.round(seconds * NANOS_PER_SECOND);
  }
}
