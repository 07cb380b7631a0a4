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
      return of(scheme, workers, false);
    }

    /** The same with induced delays in place of computation, if {@code delayed}. */
    static Counts of(String scheme, int workers, boolean delayed) {
      Scheme made = SchemeSamples.make(scheme, 1, workers);
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

  private static void assertCounts(Counts counts, int updates, int dropped, int abandoned) {
    assertEquals(
        List.of(updates, dropped, abandoned),
        List.of(counts.steps().size(), counts.drops().size(), (int) counts.abandoned()));
  }

  @Test
  void delaysAreAbandonedAsComputationsAre() {
    String scheme = "ringmaster outdated=restart delay-threshold=50";
    assertCounts(Counts.of(scheme, 100, true), 922, 0, 1281);
  }

  @Test
  void delaysOfAsyncAreThoseOfTheRules() {
    Counts counts = Counts.of("async", 100);
    LongSummaryStatistics delays =
        counts.used().stream().mapToLong(WorkerRecord::staleness).summaryStatistics();
    assertEquals(187, delays.getMax());
    assertEquals(95.678, delays.getAverage(), 0.0005);
  }

  /** Σ⌊10/√i⌋ gradients: as many as each worker has done when the slowest has done its first. */
  @Test
  void maleniaTakesAllThatIsDoneMeanwhile() {
    for (StepRecord step : Counts.of("malenia outdated=restart", 100).steps()) {
      assertEquals(153, step.numSamples());
    }
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
