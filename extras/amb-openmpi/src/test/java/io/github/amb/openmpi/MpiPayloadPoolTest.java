package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MpiPayloadPoolTest {
  private final MpiPayloadPool pool = new MpiPayloadPool();

  @Test
  void memoryComesBackWhenItsLastHolderIsDone() {
    MpiPayload first = pool.take(1000, true);
    first.hold();
    first.end();
    assertNotSame(first, pool.take(1000, true));
    first.end();
    assertSame(first, pool.take(1000, true));
  }

  @Test
  void theSmallestThatSufficesIsTaken() {
    MpiPayload small = pool.take(1000, true);
    MpiPayload middle = pool.take(50_000, true);
    MpiPayload large = pool.take(900_000, true);
    large.end();
    small.end();
    middle.end();
    assertSame(middle, pool.take(2000, false));
    assertSame(large, pool.take(2000, false));
  }

  @Test
  void memoryThatIsTooSmallGivesWayToNew() {
    MpiPayload small = pool.take(10, true);
    small.end();
    MpiPayload large = pool.take(5000, true);
    assertTrue(large.capacity() >= 5000);
    assertNotSame(small, pool.take(10, true));
  }

  @Test
  void memoryIsAlignedToCacheLines() {
    assertTrue(pool.take(3, true).pointer.address() % 64 == 0);
  }
}
