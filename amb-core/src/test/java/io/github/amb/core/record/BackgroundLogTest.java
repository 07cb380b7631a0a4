package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundLogTest {
  @Test
  void recordsAreHandedOnInOrderByOneOtherThread() {
    List<LogRecord> handedOn = new ArrayList<>();
    Set<Thread> threads = new HashSet<>();
    List<LogRecord> records = new ArrayList<>();
    try (BackgroundLog log =
        new BackgroundLog(
            record -> {
              handedOn.add(record);
              threads.add(Thread.currentThread());
            })) {
      for (int step = 1; step <= 3 * BackgroundLog.CAPACITY; step++) {
        records.add(record(step));
        log.accept(records.get(step - 1));
      }
    }
    assertEquals(records, handedOn);
    assertEquals(1, threads.size());
    assertNotEquals(Set.of(Thread.currentThread()), threads);
  }

  @Test
  void aRecordIsHandedOnWithoutWaitingForMore() throws InterruptedException {
    CountDownLatch handedOn = new CountDownLatch(1);
    try (BackgroundLog log = new BackgroundLog(record -> handedOn.countDown())) {
      log.accept(record(1));
      assertTrue(handedOn.await(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void aFlushEndsWhenAllThatCameBeforeIsHandedOn() {
    List<LogRecord> handedOn = Collections.synchronizedList(new ArrayList<>());
    BackgroundLog log = new BackgroundLog(handedOn::add);
    for (int step = 1; step <= 100; step++) {
      log.accept(record(step));
      log.flush();
      assertEquals(step, handedOn.size());
    }
    log.close();
    log.flush();
  }

  @Test
  void aFailureIsThrownOnceAndEndsTheRecords() {
    RuntimeException failure = new IllegalStateException("disk full");
    List<LogRecord> handedOn = new ArrayList<>();
    Consumer<LogRecord> target = handedOn::add;
    assertSame(
        failure,
        assertThrows(
            RuntimeException.class,
            () -> {
              try (BackgroundLog log = new BackgroundLog(target.andThen(failing(failure)))) {
                keepOn(log);
              }
            }));
    assertEquals(List.of(record(2)), handedOn);
  }

  @Test
  void closingThrowsWhatNoCallHasThrown() {
    RuntimeException failure = new IllegalStateException("disk full");
    BackgroundLog log = new BackgroundLog(failing(failure));
    log.accept(record(1));
    assertSame(failure, assertThrows(IllegalStateException.class, log::close));
    log.close();
  }

  private static Consumer<LogRecord> failing(RuntimeException failure) {
    return record -> {
      throw failure;
    };
  }

  @Test
  void anErrorIsTheCause() {
    Error error = new StackOverflowError("deep");
    BackgroundLog log =
        new BackgroundLog(
            record -> {
              throw error;
            });
    log.accept(record(1));
    assertSame(error, assertThrows(IllegalStateException.class, () -> keepOn(log)).getCause());
    log.close();
  }

  private static void keepOn(BackgroundLog log) {
    while (true) {
      log.accept(record(2));
    }
  }

  private static CollectRecord record(long step) {
    return new CollectRecord(0.5 * step, step, 3, 0.25, 64);
  }
}
