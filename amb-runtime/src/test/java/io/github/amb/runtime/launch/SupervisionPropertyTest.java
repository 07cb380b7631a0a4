package io.github.amb.runtime.launch;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What the launcher decides after any sequence of events. */
class SupervisionPropertyTest {
  /**
   * One generation at a time, no order to a dead rank, no more replacements than allowed, the cause
   * that the evidence supports, and always an end. {@link SupervisedWorld} checks all but the last.
   */
  @Property(tries = 100_000, shrinking = ShrinkingMode.OFF)
  void aRunIsLedToItsEnd(@ForAll long seed) {
    SupervisedWorld.lead(seed);
  }
}
