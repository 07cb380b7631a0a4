package io.github.amb.runtime.train.part;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** With a clock that only the work advances. */
class SteadyTimesTest {
  private long now;
  private int calls;

  private Runnable takes(IntToDoubleFunction secondsOfCall) {
    int[] call = {0};
    return () -> {
      calls++;
      now += Math.round(1e9 * secondsOfCall.applyAsDouble(call[0]++));
    };
  }

  private double[] measure(Runnable... works) {
    return new SteadyTimes(() -> now).measure(works);
  }

  @Test
  void steadyWorkIsMeasuredOnceWarmedUp() {
    double[] seconds = measure(takes(i -> 0.004), takes(i -> 0.008));
    assertArrayEquals(new double[] {0.004, 0.008}, seconds, 1e-9);
    assertEquals(10 * 9 * 2, calls, "rounds of 0.108 s until more than 1 s has passed");
  }

  @Test
  void workThatGetsFasterIsMeasuredWhenItNoLongerDoes() {
    double[] seconds = measure(takes(i -> i < 10 * 9 ? 0.1 * Math.pow(0.9, i / 9) : 0.03));
    assertArrayEquals(new double[] {0.03}, seconds, 1e-9);
  }

  @Test
  void outliersDoNotCount() {
    assertArrayEquals(new double[] {0.05}, measure(takes(i -> i % 9 == 3 ? 1 : 0.05)), 1e-9);
  }

  @Test
  void slowWorkIsMeasuredByOneRound() {
    assertArrayEquals(new double[] {2}, measure(takes(i -> 2)), 1e-9);
    assertEquals(9, calls);
  }
}
