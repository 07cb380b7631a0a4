package io.github.amb.bench.harness;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How quiet the machine was: the load average, and how much the time of a fixed loop varies, before
 * and after a benchmark.
 */
public final class Noise {
  /** A spread above this makes times doubtful. */
  private static final double QUIET_SPREAD = 1.1;

  /** A load per core above this, before the benchmark starts, makes times doubtful. */
  private static final double QUIET_LOAD = 0.25;

  private static final int LOOPS = 41;
  private static final int ITERATIONS = 3_000_000;

  private final Reading before = read();

  /**
   * A reading.
   *
   * @param load average number of runnable threads over the last minute; negative if unknown
   * @param loop milliseconds of the fixed loop
   */
  private record Reading(double load, Sample loop) {
    double spread() {
      return loop.p90() / loop.min();
    }
  }

  private static Reading read() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    double[] millis = new double[LOOPS];
    long sink = 1;
    for (int i = -LOOPS; i < LOOPS; i++) {
      long start = System.nanoTime();
      sink = spin(sink);
      if (i >= 0) {
        millis[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    if (sink == 0) {
      throw new IllegalStateException("a linear congruential generator of full period reached 0");
    }
    return new Reading(load, Sample.of(millis));
  }

  private static long spin(long start) {
    long x = start;
    for (int i = 0; i < ITERATIONS; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return x | 1;
  }

  /** Reads again, after the benchmark. */
  public Verdict after() {
    return new Verdict(before, read());
  }

  /** Both readings. */
  public static final class Verdict {
    private final Reading before;
    private final Reading after;

    private Verdict(Reading before, Reading after) {
      this.before = before;
      this.after = after;
    }

    private boolean quiet() {
      int cores = Runtime.getRuntime().availableProcessors();
      return before.load() <= QUIET_LOAD * cores
          && before.spread() <= QUIET_SPREAD
          && after.spread() <= QUIET_SPREAD;
    }

    /** The readings by name, for the JSON file. */
    public Map<String, Object> facts() {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("quiet", quiet());
      facts.put("load_before", before.load());
      facts.put("load_after", after.load());
      facts.put("loop_p90_over_min_before", before.spread());
      facts.put("loop_p90_over_min_after", after.spread());
      return facts;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: load %.1f before, %.1f after, on %d cores; p90 of a fixed loop is %.2f times its"
              + " minimum before, %.2f after",
          quiet() ? "quiet" : "NOT quiet, compare ratios only",
          before.load(),
          after.load(),
          Runtime.getRuntime().availableProcessors(),
          before.spread(),
          after.spread());
    }
  }
}
