package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.engine.Work;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeSamples;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.scheme.context.StopRule;
import java.util.Collections;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What schemes do in 100 seconds of a cluster whose worker i takes √i seconds per gradient, and
 * whose messages take no time. The counts are of a simulation of the rules alone, by another
 * program: events in the order of time, then of workers.
 */
@Timeout(60)
class SchemeCountsTest {
  private static final double END = 100;

  /** √i in nanoseconds, so that multiples that are equal in reals are equal: 2√2 and √8. */
  private static long tau(int i) {
    int factor = 1;
    for (int k = 2; k * k <= i; k++) {
      factor = i % (k * k) == 0 ? k : factor;
    }
    return factor * Math.round(1e9 * Math.sqrt(i / (factor * factor)));
  }

  /** What came of a run until the end. */
  private record Counts(
      List<StepRecord> steps, List<WorkerRecord> used, List<DropRecord> drops, long abandoned) {
    static Counts of(String scheme, int workers) {
      return of(scheme, 1, workers, false);
    }

    /** The same with induced delays in place of computation, if {@code delayed}. */
    static Counts of(String scheme, int batch, int workers, boolean delayed) {
      Scheme made = SchemeSamples.make(scheme, batch, workers);
      WorkTime time = (rank, work, amount) -> work == Work.PARTITION && !delayed ? tau(rank) : 0;
      CostModel none = CostModel.perExample(0);
      VirtualCluster cluster = new VirtualCluster(workers + 1, none, time, 1);
      StopRule stop =
          new StopRule(
              0,
              Double.POSITIVE_INFINITY,
              Math.nextUp(END),
              StopRule.NO_TARGET,
              Double.NaN,
              0,
              Budget.NONE);
      SimulatedTraining run =
          SimulatedTraining.runUntil(
              cluster,
              made,
              clock -> SimulatedTraining.nothing(),
              rank -> random -> delayed ? tau(rank) / 1e9 : 0,
              stop);
      List<LogRecord> records = run.records;
      List<StepRecord> steps = LogRecord.of(StepRecord.class, records);
      long last = steps.stream().filter(step -> step.time() <= END).count();
      return new Counts(
          steps.subList(0, (int) last),
          LogRecord.of(WorkerRecord.class, records).stream()
              .filter(result -> result.masterStep() <= last)
              .toList(),
          LogRecord.of(DropRecord.class, records).stream()
              .filter(drop -> drop.time() <= END)
              .toList(),
          run.abandoned.stream().filter(heard -> heard <= 1e9 * END).count());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "fmb, 10, 0, 0",
    "async, 1811, 0, 0",
    "delay-adaptive, 1811, 0, 0",
    "rescaled-asgd, 1811, 0, 0",
    "ia2sgd, 1659, 0, 0",
    "ringleader, 500, 0, 0",
    "ringmaster delay-threshold=1, 100, 1711, 0",
    "ringmaster delay-threshold=10, 380, 1431, 0",
    "ringmaster delay-threshold=50, 918, 893, 0",
    "ringmaster delay-threshold=100, 1327, 484, 0",
    "ringmaster delay-threshold=200, 1811, 0, 0",
    "ringmaster outdated=restart delay-threshold=1, 100, 0, 9900",
    "ringmaster outdated=restart delay-threshold=10, 382, 0, 3553",
    "ringmaster outdated=restart delay-threshold=50, 922, 0, 1281",
    "ringmaster outdated=restart delay-threshold=100, 1325, 0, 576",
    "ringmaster outdated=restart delay-threshold=200, 1811, 0, 0",
    "rennala gradients-per-update=10, 27, 1541, 0",
    "rennala gradients-per-update=50, 13, 1160, 0",
    "rennala gradients-per-update=100, 9, 882, 0",
    "rennala gradients-per-update=200, 6, 584, 0",
    "rennala outdated=restart gradients-per-update=10, 35, 0, 3465",
    "rennala outdated=restart gradients-per-update=50, 16, 0, 1584",
    "rennala outdated=restart gradients-per-update=100, 12, 0, 1188",
    "rennala outdated=restart gradients-per-update=200, 7, 0, 693",
    "malenia, 5, 495, 0",
    "malenia outdated=restart, 10, 0, 990"
  })
  void hundredWorkers(String scheme, int updates, int dropped, int abandoned) {
    assertCounts(Counts.of(scheme, 100), updates, dropped, abandoned);
  }

  @ParameterizedTest
  @Tag("system")
  @Timeout(600) // A thousand threads in turn; slow where other processes compute.
  @CsvSource({
    "fmb, 3, 0, 0",
    "async, 5696, 0, 0",
    "ia2sgd, 4096, 0, 0",
    "ringleader, 1264, 0, 0",
    "ringmaster delay-threshold=500, 2988, 2708, 0",
    "ringmaster outdated=restart delay-threshold=500, 2991, 0, 3717",
    "rennala gradients-per-update=500, 4, 3530, 0",
    "rennala outdated=restart gradients-per-update=500, 5, 0, 4995",
    "malenia, 2, 1262, 0",
    "malenia outdated=restart, 3, 0, 2997"
  })
  void thousandWorkers(String scheme, int updates, int dropped, int abandoned) {
    assertCounts(Counts.of(scheme, 1000), updates, dropped, abandoned);
  }

  @ParameterizedTest
  @Tag("lab")
  @Timeout(600)
  @CsvSource({
    "ringmaster delay-threshold=1, 100, 5596, 0",
    "ringmaster delay-threshold=100, 1327, 4369, 0",
    "ringmaster delay-threshold=1000, 4189, 1507, 0",
    "ringmaster delay-threshold=2000, 5696, 0, 0",
    "ringmaster outdated=restart delay-threshold=1, 100, 0, 99900",
    "ringmaster outdated=restart delay-threshold=100, 1325, 0, 12276",
    "ringmaster outdated=restart delay-threshold=1000, 4188, 0, 1883",
    "ringmaster outdated=restart delay-threshold=2000, 5696, 0, 0",
    "rennala gradients-per-update=100, 9, 4761, 0",
    "rennala gradients-per-update=1000, 3, 2587, 0",
    "rennala gradients-per-update=2000, 2, 1588, 0",
    "rennala outdated=restart gradients-per-update=100, 12, 0, 11988",
    "rennala outdated=restart gradients-per-update=1000, 3, 0, 2997",
    "rennala outdated=restart gradients-per-update=2000, 2, 0, 1998"
  })
  void otherBoundsOfAThousandWorkers(String scheme, int updates, int dropped, int abandoned) {
    assertCounts(Counts.of(scheme, 1000), updates, dropped, abandoned);
  }

  private static void assertCounts(Counts counts, int updates, int dropped, int abandoned) {
    assertEquals(
        List.of(updates, dropped, abandoned),
        List.of(counts.steps().size(), counts.drops().size(), (int) counts.abandoned()));
  }

  @Test
  void delaysAreAbandonedAsComputationsAre() {
    String scheme = "ringmaster outdated=restart delay-threshold=50";
    assertCounts(Counts.of(scheme, 1, 100, true), 922, 0, 1281);
  }

  @Test
  void delaysOfAsyncAreThoseOfTheRules() {
    assertDelays(100, 187, 95.678);
  }

  @Test
  @Tag("lab")
  @Timeout(600)
  void delaysOfAThousandWorkersAreThoseOfTheRules() {
    assertDelays(1000, 1928, 888.767);
  }

  private static void assertDelays(int workers, long greatest, double mean) {
    LongSummaryStatistics delays =
        Counts.of("async", workers).used().stream()
            .mapToLong(WorkerRecord::staleness)
            .summaryStatistics();
    assertEquals(greatest, delays.getMax());
    assertEquals(mean, delays.getAverage(), 0.0005);
  }

  /** Σ⌊√(n/i)⌋ gradients: as many as each worker has done when the slowest has done its first. */
  @Test
  void maleniaTakesAllThatIsDoneMeanwhile() {
    assertExamples(10, 153, Counts.of("malenia outdated=restart", 100));
  }

  @Test
  @Tag("lab")
  @Timeout(600)
  void maleniaOfAThousandWorkersDoesSo() {
    assertExamples(3, 1601, Counts.of("malenia outdated=restart", 1000));
  }

  /**
   * In T = 10 s worker i does ⌊10/√i⌋ whole gradients, 153 in all; the last one is abandoned. But
   * amb finishes it: ⌈10/√i⌉ gradients, in 2√99 s.
   */
  @Test
  void anytimeSchemesDoWhatFitsIntoTheirTime() {
    String time = " amb-time-limit=10 amb-num-partitions=10";
    String exact = " graph=complete consensus-rounds=1";
    assertExamples(10, 153, Counts.of("amb-graph" + exact + time, 10, 100, false));
    assertExamples(5, 249, Counts.of("amb" + time, 10, 100, false));
  }

  private static void assertExamples(int updates, long examples, Counts counts) {
    assertEquals(
        Collections.nCopies(updates, examples),
        counts.steps().stream().map(StepRecord::numSamples).toList());
  }

  @Test
  void ringleadersFirstUpdateHasOneOfEveryWorkerAndMoreOfFastOnes() {
    Map<Integer, Long> counts =
        Counts.of("ringleader", 100).used().stream()
            .filter(result -> result.masterStep() == 1)
            .collect(Collectors.groupingBy(WorkerRecord::rank, Collectors.counting()));
    double sum = counts.values().stream().mapToDouble(count -> 1.0 / count).sum();
    assertEquals(1.1791129, 100 / sum, 1e-7);
  }
}
