package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.Seeds;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VirtualEvaluatorTest {
  /** Sixty test examples: an evaluation takes six seconds. */
  private static final WorkTime TIME = (rank, work, amount) -> amount * 100_000_000L;

  private final List<EvaluationRecord> records = new ArrayList<>();

  private static final class ManualClock implements Clock {
    long now;

    @Override
    public long now() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      now += Math.max(0, nanos);
    }

    @Override
    public void charge(Work work, long amount) {}
  }

  @Test
  void snapshotsAreDeclinedUntilResultsAreKnown() {
    GradientSource source = SimulatedTraining.softmax();
    float[] parameters = new float[source.layout().size()];
    ManualClock clock = new ManualClock();
    var evaluator =
        new VirtualEvaluator(
            source,
            clock,
            TIME,
            new Streams(Seeds.of(1)),
            1,
            -1,
            0,
            (record, tested) -> records.add(record));
    for (int step = 1; step <= 40; step++) {
      clock.sleep(1_000_000_000);
      evaluator.offer(step, step, parameters);
      if (step == 6) {
        assertNull(evaluator.newest());
        assertEquals(List.of(), records);
      }
      if (step == 7) {
        assertEquals(records.get(0), evaluator.newest());
      }
    }
    // From 1 to 7, then not before a fifth of the time: from 31 to 37.
    assertEquals(List.of(1L, 31L), records.stream().map(EvaluationRecord::step).toList());
    assertEquals(6, records.get(0).duration(), 1e-9);
    evaluator.last(40, 40, parameters);
    assertEquals(46_000_000_000L, clock.now());
    assertEquals(40, records.get(2).step());
    evaluator.last(40, 40, parameters);
    assertEquals(3, records.size());
  }

  @Test
  void aSavedResultKeepsItsMetrics() {
    GradientSource source = SimulatedTraining.softmax();
    StateMap saved = new StateMap();
    for (boolean resumed : new boolean[] {false, true}) {
      ManualClock clock = new ManualClock();
      var evaluator =
          new VirtualEvaluator(
              source,
              clock,
              TIME,
              new Streams(Seeds.of(1)),
              1,
              -1,
              0,
              (record, tested) -> records.add(record));
      if (resumed) {
        saved.restore("test", evaluator);
      } else {
        evaluator.offer(0, 1, new float[source.layout().size()]);
        saved.save("test", evaluator);
      }
      clock.sleep(6_000_000_000L);
      evaluator.newest();
    }
    assertEquals(Set.of("perplexity"), records.get(0).metrics().keySet());
    assertEquals(records.get(0), records.get(1));
  }

  @Test
  void evaluationsThatTakeNoTimeAreSpacedByAShareOfIt() {
    GradientSource source = SimulatedTraining.softmax();
    float[] parameters = new float[source.layout().size()];
    var evaluator =
        new VirtualEvaluator(
            source,
            new ManualClock(),
            (rank, work, amount) -> 0,
            new Streams(Seeds.of(1)),
            1,
            10,
            0.5,
            (record, tested) -> records.add(record));
    for (int step = 1; step <= 9; step++) {
      evaluator.offer(step, step, parameters);
    }

    // From 1.5, from 3, from 4.5, from 7.5.
    assertEquals(
        List.of(1L, 2L, 3L, 5L, 8L), records.stream().map(EvaluationRecord::step).toList());
  }
}
