package io.github.amb.bench.harness;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How much others disturbed a benchmark: the share of the processors that other processes and the
 * hypervisor took while it ran, and how much the time of a fixed loop varied before and after it,
 * while nothing of the benchmark ran. The load of the benchmark itself does not count.
 */
public final class Noise {
  /** Others may have this share of all cores. */
  private static final double QUIET_SHARE = 0.03;

  /** A 90th percentile of the fixed loop above this many minima makes times doubtful. */
  private static final double QUIET_SPREAD = 1.1;

  /** What is looked at to tell whether the machine is quiet now. */
  private static final Duration WINDOW = Duration.ofSeconds(2);

  private static final int LOOPS = 41;
  private static final int ITERATIONS = 3_000_000;

  private final boolean waited;
  private final double spread;
  private final Optional<CpuTimes> start;

  private Noise(boolean waited, double spread) {
    this.waited = waited;
    this.spread = spread;
    start = CpuTimes.read();
  }

  /**
   * Waits until the machine is quiet, and begins to watch it.
   *
   * @param longest after this the benchmark starts all the same; zero looks once, and does not wait
   * @param waiting is run every few seconds while it waits
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
    Optional<CpuTimes> before = CpuTimes.read();
    Thread.sleep(WINDOW.toMillis());
    return before.isEmpty() || new Shares(before.get(), CpuTimes.read().orElseThrow()).quiet();
  }

  /** The 90th percentile over the minimum of a fixed loop's times. */
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

  /** Looks again, after the benchmark. */
  public Verdict after() {
    Optional<Shares> shares =
        start.flatMap(before -> CpuTimes.read().map(now -> new Shares(before, now)));
    return new Verdict(waited, shares, spread, spread());
  }

  /**
   * What others took of all cores, each 0 to 1.
   *
   * @param others processes that are not of the benchmark
   * @param stolen the hypervisor, for other machines
   */
  record Shares(double others, double stolen) {
    Shares(CpuTimes before, CpuTimes after) {
      this(after.othersSince(before), after.stolenSince(before));
    }

    boolean quiet() {
      return others + stolen <= QUIET_SHARE;
    }
  }

  /**
   * What was seen of others.
   *
   * @param waited whether the benchmark had to wait for a quiet machine
   * @param shares during the benchmark; empty where the kernel does not say
   * @param before spread of the fixed loop before the benchmark
   * @param after the same after it
   */
  public record Verdict(boolean waited, Optional<Shares> shares, double before, double after) {
    boolean quiet() {
      return shares.map(Shares::quiet).orElse(true)
          && before <= QUIET_SPREAD
          && after <= QUIET_SPREAD;
    }

    /** The readings by name, for the JSON file. */
    public Map<String, Object> facts() {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("quiet", quiet());
      facts.put("waited", waited);
      shares.ifPresent(
          seen -> {
            facts.put("others_share", seen.others());
            facts.put("stolen_share", seen.stolen());
          });
      facts.put("loop_p90_over_min_before", before);
      facts.put("loop_p90_over_min_after", after);
      return facts;
    }

    @Override
    public String toString() {
      String taken =
          shares
              .map(
                  seen ->
                      String.format(
                          Locale.ROOT,
                          "other processes took %.1f %% of the cores, the hypervisor %.1f %%",
                          100 * seen.others(),
                          100 * seen.stolen()))
              .orElse("what other processes took is unknown here");
      return String.format(
          Locale.ROOT,
          "%s: %s; p90 of a fixed loop is %.2f times its minimum before, %.2f after",
          quiet() ? "quiet" : "NOT quiet, do not publish times",
          taken,
          before,
          after);
    }
  }
}
