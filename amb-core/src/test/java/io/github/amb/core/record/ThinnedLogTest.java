package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ThinnedLogTest {
  private static final int MAX = 8 * ThinnedLog.FIRST;
  private static final int MANY = 200_000;

  private static StepRecord step(long step) {
    return new StepRecord(step, step, 1, 0, 1, step, 0, 0, 0, 0);
  }

  private static EvaluationRecord test(long step, double accuracy) {
    return new EvaluationRecord(step, step, 1 - accuracy, accuracy, 10, 0);
  }

  private static WorkerRecord worker(int rank, long step) {
    return new WorkerRecord(step, step, rank, 1, 1, false, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void aShortLogIsKeptAsItIs() {
    ThinnedLog log = new ThinnedLog(MAX);
    List<LogRecord> all = new ArrayList<>();
    for (int i = 1; i <= MAX / 2; i++) {
      all.add(step(i));
      all.add(test(i, 0.5));
    }
    all.forEach(log::add);
    assertEquals(all, log.records());
    assertFalse(log.isThinned());
  }

  @Test
  void aLongLogHasABoundAndItsFirstAndLastRecords() {
    ThinnedLog log = new ThinnedLog(MAX);
    LongStream.rangeClosed(1, MANY).forEach(i -> log.add(step(i)));
    List<StepRecord> kept = LogRecord.of(StepRecord.class, log.records());
    assertTrue(log.isThinned());
    assertEquals(MANY, log.count());
    assertTrue(kept.size() <= MAX + 1 && kept.size() > MAX / 2, kept.size() + " records");
    assertEquals(step(MANY), kept.get(kept.size() - 1));
    for (int i = 0; i < ThinnedLog.FIRST; i++) {
      assertEquals(step(i + 1), kept.get(i));
    }
  }

  @Test
  void whatIsKeptAreNeighborsAtEqualDistances() {
    ThinnedLog log = new ThinnedLog(MAX);
    LongStream.rangeClosed(1, MANY).forEach(i -> log.add(step(i)));
    List<StepRecord> kept = LogRecord.of(StepRecord.class, log.records());
    long distance = kept.get(ThinnedLog.FIRST + 2).step() - kept.get(ThinnedLog.FIRST).step();
    for (int i = ThinnedLog.FIRST; i + 3 < kept.size(); i += 2) {
      assertEquals(kept.get(i).step() + 1, kept.get(i + 1).step());
      assertEquals(kept.get(i).step() + distance, kept.get(i + 2).step());
    }
  }

  @Test
  void theFirstUpdateAfterAChangeIsKept() {
    ThinnedLog log = new ThinnedLog(MAX);
    List<LogRecord> expected = new ArrayList<>();
    for (long i = 1; i <= MANY; i++) {
      log.add(step(i));
      if (i % 9_973 == 0) {
        MembershipRecord change = new MembershipRecord(i, i, 2, List.of(1), "killed", 0);
        log.add(change);
        log.add(step(++i));
        expected.add(change);
        expected.add(step(i));
      }
    }
    assertTrue(log.records().containsAll(expected));
  }

  @Test
  void testsThatAreBetterThanAllBeforeAreKept() {
    ThinnedLog log = new ThinnedLog(MAX);
    List<LogRecord> better = new ArrayList<>();
    double best = 0;
    for (int i = 1; i <= MANY; i++) {
      boolean improves = i % 7_919 == 0;
      best += improves ? 0.01 : 0;
      log.add(test(i, improves ? best : best / 2));
      if (improves) {
        better.add(test(i, best));
      }
    }
    assertTrue(log.records().containsAll(better));
  }

  @Test
  void workersShareTheBoundAlike() {
    ThinnedLog log = new ThinnedLog(MAX);
    for (int rank = 1; rank <= 3; rank++) {
      for (int i = 1; i <= MANY; i++) {
        log.add(worker(rank, i));
      }
    }
    List<WorkerRecord> kept = LogRecord.of(WorkerRecord.class, log.records());
    for (int rank = 1; rank <= 3; rank++) {
      int own = rank;
      long count = kept.stream().filter(record -> record.rank() == own).count();
      assertTrue(count > ThinnedLog.FIRST && count < MANY, "worker " + rank + " has " + count);
    }
  }
}
