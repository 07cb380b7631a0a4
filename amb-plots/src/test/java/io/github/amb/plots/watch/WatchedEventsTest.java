package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.MembershipRecord;
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
    assertTrue(new WatchedEvents(0).isPresent(2));
  }
}
