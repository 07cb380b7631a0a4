package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DelayedNesterovTest {
  private static float step(UpdateRule rule, float[] w, float gradient) {
    rule.beginStep();
    rule.apply(w, new float[] {gradient, -gradient}, 0, 2, 0.5);
    return w[0];
  }

  /** N = 2, μ = 0.5, η = 0.5. All numbers are exact in binary. */
  @Test
  void momentumComesWithEverySecondChange() {
    UpdateRule rule = new DelayedNesterov(2, 0.5, 2);
    float[] w = new float[2];
    assertEquals(-1, step(rule, w, 4)); // − η 4/2
    // a = (4 + 8)/2 = 6; w = −1 − η (8/2 + 0.5 · 6)
    assertEquals(-4.5f, step(rule, w, 8));
    assertEquals(-5, step(rule, w, 2)); // − η 2/2
    // a = 0.5 · 6 + (2 + 6)/2 = 7; w = −5 − η (6/2 + 0.5 · 7)
    assertEquals(-8.25f, step(rule, w, 6));
    assertEquals(8.25f, w[1]);
  }

  @Test
  void withAnIntervalOfOneItIsNesterov() {
    UpdateRule delayed = new DelayedNesterov(2, 0.9, 1);
    UpdateRule nesterov = new Momentum(2, 0.9, RuleForm.TENSORFLOW, true);
    float[] w = new float[2];
    float[] expected = new float[2];
    for (float gradient : new float[] {0.3f, -1.7f, 2.9f, 1e-3f}) {
      step(delayed, w, gradient);
      step(nesterov, expected, gradient);
      assertArrayEquals(expected, w);
    }
  }
}
