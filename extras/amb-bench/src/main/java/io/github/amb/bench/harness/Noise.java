package io.github.amb.bench.harness;

import static io.github.amb.core.option.Decimal.format;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The disturbance of a benchmark by others. It has two measures: the share of the processors that
 * other processes and the hypervisor took during the benchmark; and the variation of the time of a
 * fixed loop before and after it. The load of the benchmark itself does not count.
 */
public final class Noise {
  /** Maximum share of all cores that others may take. */
  private static final double QUIET_SHARE = 0.03;

  /** Maximum ratio of the fixed loop's 90th percentile to its minimum for reliable times. */
  private static final double QUIET_SPREAD = 1.1;

  /** Time for which the machine is observed to decide whether it is quiet. */
  private static final Duration WINDOW = Duration.ofSeconds(2);

  private static final int LOOPS = 41;
  private static final int ITERATIONS = 3_000_000;

  private final boolean waited;
  private final double spread;
  private final CpuTimes start = CpuTimes.read();

  private Noise(boolean waited, double spread) {
    this.waited = waited;
    this.spread = spread;
  }

  /**
   * Waits until the machine is quiet, then observes it.
   *
   * @param longest maximum time to wait; the benchmark starts then in any case. Zero checks once
   *     and does not wait.
   * @param waiting called every few seconds during the wait
   */
  public static Noise watch(Duration longest, Runnable waiting) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    boolean waited = false;
    double spread = spread();
    while (System.nanoTime() < end && !(spread <= QUIET_SPREAD && othersAreQuiet())) {
      waited = true;
      waiting.run();
      spread = spread();
    }
    return new Noise(waited, spread);
  }

  private static boolean othersAreQuiet() throws InterruptedException {
    CpuTimes before = CpuTimes.read();
    Thread.sleep(WINDOW.toMillis());
    return !(CpuTimes.read().takenSince(before) > QUIET_SHARE);
  }

  /** The 90th percentile of a fixed loop's times, divided by their minimum. */
  private static double spread() {
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
    Sample loop = Sample.of(millis);
    return loop.p90() / loop.min();
  }

  private static long spin(long start) {
    long x = start;
    for (int i = 0; i < ITERATIONS; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    return x | 1;
  }

  /** Measures after the benchmark. */
  public Verdict after() {
    CpuTimes now = CpuTimes.read();
    return new Verdict(waited, now.othersSince(start), now.stolenSince(start), spread, spread());
  }

  /**
   * The observed disturbance. A share is of all cores, 0 to 1; NaN if the kernel does not report
   * it.
   *
   * @param waited whether the benchmark had to wait for a quiet machine
   * @param others share of processes outside the benchmark
   * @param stolen share that the hypervisor gave to other machines
   * @param before spread of the fixed loop before the benchmark
   * @param after spread of the fixed loop after the benchmark
   */
  public record Verdict(boolean waited, double others, double stolen, double before, double after) {
    boolean quiet() {
      return !(others + stolen > QUIET_SHARE) && before <= QUIET_SPREAD && after <= QUIET_SPREAD;
    }

    /** The measures by name, for the JSON file. */
    public Map<String, Object> facts() {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("quiet", quiet());
      facts.put("waited", waited);
      if (!Double.isNaN(others)) {
        facts.put("others_share", others);
        facts.put("stolen_share", stolen);
      }
      facts.put("loop_p90_over_min_before", before);
      facts.put("loop_p90_over_min_after", after);
      return facts;
    }

    @Override
    public String toString() {
      String taken =
          Double.isNaN(others)
              ? "the share of other processes is unknown on this system"
              : format(
                  "other processes took %.1f %% of the cores, the hypervisor %.1f %%",
                  100 * others, 100 * stolen);
      return format(
          "%s: %s; p90 of a fixed loop is %.2f times its minimum before, %.2f after",
          quiet() ? "quiet" : "NOT quiet, do not publish times", taken, before, after);
    }
  }
}
