package io.github.amb.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1.5, 1500000000",
    "0.0000000004, 0",
    "0.0000000006, 1",
    "-2, -2000000000",
    "Infinity, 9223372036854775807"
  })
  void secondsBecomeNanosRoundedToTheNearest(double seconds, long nanos) {
    assertEquals(nanos, Clock.nanos(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0, 1500000000, 1.5", "-500000000, 500000000, 1", "7, 7, 0"})
  void secondsAreTheDifferenceOfTwoTimes(long start, long end, double seconds) {
    assertEquals(seconds, Clock.seconds(start, end));
  }
}
