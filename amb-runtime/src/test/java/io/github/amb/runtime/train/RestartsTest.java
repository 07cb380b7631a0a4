package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RestartsTest {
  @Test
  void eachRestartThatCountsDoublesThePauseUpToAMinute() {
    List<Double> restarts = new ArrayList<>();
    List<Double> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      double now = 100.0 * i;
      pauses.add(Restarts.pause(8, 3600, restarts, now).orElseThrow());
      restarts.add(now);
    }
    assertEquals(List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0), pauses);
    assertEquals(OptionalDouble.empty(), Restarts.pause(8, 3600, restarts, 800));
  }

  @Test
  void restartsBeforeTheWindowDoNotCount() {
    List<Double> restarts = List.of(0.0, 5.0, 9.0);
    assertEquals(OptionalDouble.empty(), Restarts.pause(2, 10, restarts, 10));
    assertEquals(OptionalDouble.of(2), Restarts.pause(2, 10, restarts, 15));
    assertEquals(OptionalDouble.of(1), Restarts.pause(2, 10, restarts, 19));
  }
}
