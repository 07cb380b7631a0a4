package io.github.amb.core;

/**
 * Seeds of tests: none is chosen. With the system property {@code amb.test.seed} set to another
 * number than 0 each test draws something else, and is to pass all the same.
 */
public final class Seeds {
  private static final long OTHER = Long.getLong("amb.test.seed", 0) * 0x9E3779B97F4A7C15L;

  private Seeds() {}

  /** The seed that a test takes in place of one that it names. */
  public static long of(long seed) {
    return seed + OTHER;
  }
}
