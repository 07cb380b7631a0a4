package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RestartsTest {
  @Test
  void eachRestartWithoutAStepDoublesThePauseUpToAMinute() {
    List<Double> pauses = new ArrayList<>();
    for (int fruitless = 0; fruitless < 9; fruitless++) {
      pauses.add(Restarts.pause(9, 3600, List.of(0.0), fruitless, 1).orElseThrow());
    }
    assertEquals(List.of(0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0), pauses);
  }

  @Test
  void restartsBeforeTheWindowDoNotCount() {
    List<Double> restarts = List.of(0.0, 5.0, 9.0);
    assertEquals(OptionalDouble.empty(), Restarts.pause(2, 10, restarts, 0, 10));
    assertEquals(OptionalDouble.of(1), Restarts.pause(2, 10, restarts, 1, 15));
  }
}
