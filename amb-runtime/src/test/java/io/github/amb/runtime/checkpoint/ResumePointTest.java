package io.github.amb.runtime.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.state.StateMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResumePointTest {
  /** Restoring the worker's state names what does not fit. */
  @Test
  void aPlaceInTheDataWithoutNumbersIsNone() {
    TreeMap<Integer, StateMap> workers = new TreeMap<>();
    workers.put(1, ResumePoint.placeInData(1, 7));
    workers.put(2, new StateMap());
    workers.get(2).put("order-2/taken", new long[0]);
    ResumePoint point = new ResumePoint(5, 1.5, new StateMap(), workers);
    assertEquals(7, point.examples(1));
    assertEquals(0, point.examples(2));
  }
}
