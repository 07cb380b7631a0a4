package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.SlowRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedEventsTest {
  private final WatchedEvents events = new WatchedEvents(3);

  private void generation(int number, Integer... workers) {
    events.add(new MembershipRecord(number, 10, number, List.of(workers), "killed\u001b[2J\n", 0));
  }

  private List<String> texts() {
    return events.list().stream().map(WatchedEvents.Event::text).toList();
  }

  @Test
  void aRemovedWorkerIsNamedWithTheCause() {
    generation(2, 1, 3);
    assertEquals(List.of("removed: worker 2: killed\\x1b[2J\\n"), texts());
    assertFalse(events.isPresent(2));
  }

  @Test
  void aWorkerThatJoinsIsNamed() {
    generation(2, 1, 2, 3, 4, 5);
    assertEquals(List.of("joined: workers 4, 5"), texts());
    assertTrue(events.isPresent(5));
  }

  @Test
  void everyWorkerIsPresentBeforeAChange() {
    // As of a run whose number of workers is unknown.
    WatchedEvents unknown = new WatchedEvents(0);
    assertTrue(unknown.isPresent(2));
    unknown.add(new SlowRecord(1, 1, 3, SlowRecord.NETWORK, 0.1, 0.5, 1));
    assertTrue(unknown.isPresent(2));
  }

  @Test
  void whatBecomesSlowIsNamed() {
    events.add(new SlowRecord(1, 1, 3, SlowRecord.NETWORK, 0.1, 0.5, 1));
    events.add(new SlowRecord(9, 9, 3, SlowRecord.NETWORK, 0.1, 0.1, 0));
    assertEquals(
        List.of("slow", "as before"),
        events.list().stream().map(WatchedEvents.Event::kind).toList());
    assertTrue(texts().get(0).contains("network of worker 3"), texts().get(0));
  }
}
