package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class DualAveragingTest {
  @Test
  void parametersAreTheSumOfGradientsTimesTheFactorOfTheStep() {
    UpdateRule rule = UpdateRules.named("dual-averaging").create(2);
    float[] w = {7, 8};
    rule.beginStep();
    rule.apply(w, new float[] {1, -2}, 0, 2, 0.5);
    assertArrayEquals(new float[] {-0.5f, 1}, w);
    rule.beginStep();
    rule.apply(w, new float[] {3, 1}, 0, 2, 0.25);
    assertArrayEquals(new float[] {-1, 0.25f}, w);
  }
}
