package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two steps by hand, from w = 1 with η = 0.1 and the gradients 0.5, then −0.25. */
class UpdateRuleTest {
  private static final float[] GRADIENTS = {0.5f, -0.25f};

  /**
   * The numbers:
   *
   * <ul>
   *   <li>sgd: 1 − 0.05; + 0.025
   *   <li>mom: a = 0.5, 1 − 0.05; a = 0.45 − 0.25 = 0.2, − 0.02
   *   <li>rms: s = 0.9 + 0.1 · 0.25 = 0.925, 1 − 0.05/√0.925; s = 0.8325 + 0.1 · 0.0625 = 0.83875,
   *       + 0.025/√0.83875
   *   <li>adm: m = 0.05, v = 0.00025, η₁ = 0.1 · √0.001 / 0.1, 1 − η₁ · 0.05/√0.00025 = 0.9; m =
   *       0.045 − 0.025 = 0.02, v = 0.00024975 + 0.0000625 = 0.00031225, η₂ = 0.1 · √0.001999 /
   *       0.19, − η₂ · 0.02/√0.00031225
   * </ul>
   */
  @ParameterizedTest
  @CsvSource({
    "sgd, 0.95, 0.975",
    "mom, 0.95, 0.93",
    "rms, 0.948012475, 0.975310030",
    "adm, 0.9, 0.873366296"
  })
  void twoStepsGiveTheNumbersComputedByHand(String name, float first, float second) {
    UpdateRule rule = UpdateRules.named(name).create(1);
    float[] w = {1};
    rule.beginStep();
    rule.apply(w, GRADIENTS.clone(), 0, 1, 0.1);
    assertEquals(first, w[0], 2e-7f);
    rule.beginStep();
    rule.apply(w, new float[] {GRADIENTS[1]}, 0, 1, 0.1);
    assertEquals(second, w[0], 2e-7f);
    assertEquals(2, rule.steps());
  }

  @Test
  void constantsGivenReplaceTheDefaults() {
    float[] w = {1, 1, 1};
    step(new Momentum(1, 0.5, RuleForm.TENSORFLOW, false), w, 0.5f);
    assertEquals(0.95f, w[0], 1e-7f);
    // s = 0.5 + 0.5 · 0.25 = 0.625, ε = 1: 1 − 0.05/√1.625
    w[0] = 1;
    step(new RmsProp(1, 0.5, 1, RuleForm.TENSORFLOW), w, 0.5f);
    assertEquals(0.960776773f, w[0], 1e-7f);
    // m = 0.25, v = 0.0625, η₁ = 0.1 · √0.25 / 0.5 = 0.1, ε = 1: 1 − 0.1 · 0.25/1.25
    w[0] = 1;
    step(new Adam(1, 0.5, 0.75, 1, RuleForm.TENSORFLOW, false, 9), w, 0.5f);
    assertEquals(0.98f, w[0], 1e-7f);
  }

  @Test
  void momentumKeepsTheShareGiven() {
    UpdateRule rule = new Momentum(1, 0.5, RuleForm.TENSORFLOW, false);
    float[] w = {0};
    step(rule, w, 1);
    step(rule, w, 1);
    // a = 1, then 1.5
    assertEquals(-0.25f, w[0], 1e-7f);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "mom", "rms", "adm", "adamw", "dual-averaging"})
  void entriesOutsideTheRangeStayAsTheyAre(String name) {
    UpdateRule rule = UpdateRules.named(name).create(4);
    float[][] before = rule.state().stream().map(float[]::clone).toArray(float[][]::new);
    float[] w = {1, 2, 3, 4};
    rule.beginStep();
    rule.apply(w, new float[] {1, 1, 1, 1}, 1, 3, 0.1);
    assertEquals(1, w[0]);
    assertEquals(4, w[3]);
    for (int k = 0; k < before.length; k++) {
      assertEquals(before[k][0], rule.state().get(k)[0]);
      assertEquals(before[k][3], rule.state().get(k)[3]);
    }
  }

  private static void step(UpdateRule rule, float[] w, float... gradient) {
    rule.beginStep();
    rule.apply(w, gradient, 0, gradient.length, 0.1);
  }
}
