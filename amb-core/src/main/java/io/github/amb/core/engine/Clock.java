package io.github.amb.core.engine;

/**
 * Monotonic time as a rank sees it.
 *
 * <p>On a real engine {@link #now} is {@link System#nanoTime} and {@link #charge} does nothing; on
 * the virtual cluster time moves only by sleeps, charged work and messages.
 */
public interface Clock {
  /** A deadline that never comes. */
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
   * Accounts for work that was just done, or whose arithmetic is left out.
   *
   * @param work kind of work
   * @param amount how much of it, in the unit of {@code work}
   */
  void charge(Work work, long amount);

  /** Seconds from {@code start} to {@code end}, both from {@link #now}. */
  static double seconds(long start, long end) {
    return (end - start) / NANOS_PER_SECOND;
  }

  /**
   * Nanoseconds of {@code seconds}, rounded to the nearest.
   *
   * @return {@link #NEVER} if {@code seconds} is infinite
   */
  static long nanos(double seconds) {
    return Double.isInfinite(seconds) ? NEVER : Math.round(seconds * NANOS_PER_SECOND);
  }
}
