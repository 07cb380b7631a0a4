package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.state.StateMap;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DualAveragingTest {
  /** η = 0.5, then 0.25; z = (1, −2), then (4, −1). */
  @Test
  void parametersAreTheFirstMinusTheRateTimesAllGradients() {
    UpdateRule rule = UpdateRules.named("dual-averaging").create(2);
    float[] w = {7, 8};
    step(rule, w, new float[] {1, -2}, 0.5);
    assertArrayEquals(new float[] {6.5f, 9}, w);
    step(rule, w, new float[] {3, 1}, 0.25);
    assertArrayEquals(new float[] {6, 8.25f}, w);
  }

  @Test
  void theCenterIsInCheckpoints() {
    UpdateRule rule = new DualAveraging(1);
    float[] w = {7};
    step(rule, w, new float[] {1}, 0.5);
    StateMap saved = new StateMap();
    saved.save("update", rule);
    UpdateRule restored = new DualAveraging(1);
    saved.restore("update", restored);
    step(restored, w, new float[] {1}, 0.5);
    assertArrayEquals(new float[] {6}, w);
  }

  /** They were centered at 0, and had the sum of gradients alone. */
  @Test
  void aRunOfAnEarlierVersionStaysCenteredAtZero() {
    StateMap saved = new StateMap();
    saved.put("update/steps", new long[] {1});
    saved.put("update/state-0", new float[] {4});
    UpdateRule rule = new DualAveraging(1);
    saved.restore("update", rule);
    float[] w = {-2};
    step(rule, w, new float[] {2}, 0.5);
    assertArrayEquals(new float[] {-3}, w);
    assertEquals(2, rule.steps());
  }

  /**
   * What makes regret grow as √T: whatever the gradients g and the point u, with β(t) = 1/η(t) that
   * does not fall, {@code Σ ⟨g, w − u⟩ ≤ ½ β(T) ‖u − w₀‖² + ½ Σ η(t − 1) ‖g‖²}, where η(0) = η(1)
   * (Xiao, "Dual averaging methods for regularized stochastic learning", JMLR 2010, section 3). The
   * bound is on exact numbers; each of the T products has the rounding of w, 2⁻²⁴ of at most ‖w₀‖ +
   * η ‖z‖, times ‖g‖.
   */
  @Test
  void theRegretIsWithinTheBoundForAnyGradients() {
    SplittableRandom random = new SplittableRandom(Seeds.of(1));
    for (int trial = 0; trial < 200; trial++) {
      assertBounded(random, 1 + random.nextInt(5), 1 + random.nextInt(200));
    }
  }

  private static void assertBounded(SplittableRandom random, int n, int steps) {
    UpdateRule rule = new DualAveraging(n);
    double k = 0.1 + random.nextDouble();
    float[] start = vector(random, n, 10);
    float[] other = vector(random, n, 10);
    float[] w = start.clone();
    double regret = 0;
    double squares = 0;
    double rounding = 0;
    double path = norm(start);
    for (int t = 1; t <= steps; t++) {
      float[] g = vector(random, n, 3);
      double rate = 1 / (k + Math.sqrt(t));
      regret += product(g, w) - product(g, other);
      squares += norm(g) * norm(g) / (k + Math.sqrt(Math.max(1, t - 1)));
      path += norm(g);
      rounding += 4 * t * Math.scalb(path, -24) * norm(g);
      step(rule, w, g, rate);
    }
    double distance = 0;
    for (int i = 0; i < n; i++) {
      distance += Math.pow(other[i] - start[i], 2);
    }
    double bound = (k + Math.sqrt(steps)) * distance / 2 + squares / 2;
    assertTrue(regret <= bound + rounding, regret + " > " + bound);
  }

  /** The pure quadratic ½ ‖w − u‖², from far away: with the center at 0 it never gets there. */
  @Test
  void aDistantMinimumIsFound() {
    float[] minimum = {100, -50};
    float[] w = {99, -49};
    UpdateRule rule = new DualAveraging(2);
    for (int t = 1; t <= 400; t++) {
      float[] g = {w[0] - minimum[0], w[1] - minimum[1]};
      step(rule, w, g, 1 / (1 + Math.sqrt(t)));
    }
    assertArrayEquals(minimum, w, 0.1f);
  }

  private static float[] vector(SplittableRandom random, int n, double scale) {
    FloatBuffer values = FloatBuffer.allocate(n);
    for (int i = 0; i < n; i++) {
      values.put((float) (scale * (2 * random.nextDouble() - 1)));
    }
    return Arrays.copyOf(values.array(), n);
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static double norm(float[] a) {
    return Math.sqrt(product(a, a));
  }

  private static void step(UpdateRule rule, float[] w, float[] gradient, double rate) {
    rule.beginStep();
    rule.apply(w, gradient, 0, w.length, rate);
  }
}
