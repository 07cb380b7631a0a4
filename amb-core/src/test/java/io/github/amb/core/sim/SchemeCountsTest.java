package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeSamples;
import io.github.amb.core.scheme.context.StopRule;
import java.util.List;
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
  private record Counts(List<StepRecord> steps, List<WorkerRecord> used, List<DropRecord> drops) {
    static Counts of(String scheme, int workers) {
      Scheme made = SchemeSamples.make(scheme, 1, workers);
      WorkTime time = (rank, work, amount) -> work == Work.PARTITION ? tau(rank) : 0;
      CostModel none = CostModel.perExample(0);
      VirtualCluster cluster = new VirtualCluster(workers + 1, none, time, 1);
      StopRule stop =
          new StopRule(
              0, Double.POSITIVE_INFINITY, Math.nextUp(END), StopRule.NO_TARGET, Double.NaN);
      List<LogRecord> records =
          SimulatedTraining.runUntil(
                  cluster,
                  made,
                  clock -> SimulatedTraining.nothing(),
                  rank -> DelayModel.NONE,
                  stop)
              .records;
      List<StepRecord> steps = LogRecord.of(StepRecord.class, records);
      long last = steps.stream().filter(step -> step.time() <= END).count();
      return new Counts(
          steps.subList(0, (int) last),
          LogRecord.of(WorkerRecord.class, records).stream()
              .filter(result -> result.masterStep() <= last)
              .toList(),
          LogRecord.of(DropRecord.class, records).stream()
              .filter(drop -> drop.time() <= END)
              .toList());
    }

    long maxDelay() {
      return used.stream().mapToLong(WorkerRecord::staleness).max().orElseThrow();
    }

    double meanDelay() {
      return used.stream().mapToLong(WorkerRecord::staleness).average().orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 1811, 187, 95.678", "1000, 5696, 1928, 888.767"})
  void async(int workers, int updates, long maxDelay, double meanDelay) {
    Counts counts = Counts.of("async", workers);
    assertEquals(updates, counts.steps().size());
    assertEquals(maxDelay, counts.maxDelay());
    assertEquals(meanDelay, counts.meanDelay(), 0.0005);
  }

  @ParameterizedTest
  @CsvSource({"fmb, 100, 10", "fmb, 1000, 3"})
  void updates(String scheme, int workers, int updates) {
    assertEquals(updates, Counts.of(scheme, workers).steps().size());
  }
}
