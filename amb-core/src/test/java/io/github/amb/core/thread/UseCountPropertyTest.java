package io.github.amb.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class UseCountPropertyTest {
  /** Some threads use it until they are rejected, while others end it. */
  @Property(tries = 200)
  void nothingIsFreedInUse(
      @ForAll @IntRange(min = 1, max = 4) int users,
      @ForAll @IntRange(min = 1, max = 3) int closers,
      @ForAll @IntRange(min = 0, max = 2000) int before)
      throws InterruptedException {
    UseCount each = new UseCount("memory");
    AtomicInteger freed = new AtomicInteger();
    AtomicInteger violations = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      threads.add(Daemon.start("user", () -> use(each, freed, violations, calls, start)));
    }
    for (int i = 0; i < closers; i++) {
      threads.add(
          Daemon.start(
              "closer",
              () -> {
                while (calls.get() < before) {
                  Thread.onSpinWait();
                }
                if (each.close()) {
                  freed.incrementAndGet();
                }
              }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, violations.get());
    assertEquals(1, freed.get());
  }

  private static void use(
      UseCount each,
      AtomicInteger freed,
      AtomicInteger violations,
      AtomicInteger calls,
      CountDownLatch start) {
    try {
      start.await();
      while (true) {
        UseCount.Use use = each.enter();
        violations.addAndGet(freed.get());
        calls.incrementAndGet();
        violations.addAndGet(freed.get());
        use.close();
      }
    } catch (IllegalStateException e) {
      // Rejected.
    } catch (InterruptedException e) {
      violations.incrementAndGet();
    }
  }
}
