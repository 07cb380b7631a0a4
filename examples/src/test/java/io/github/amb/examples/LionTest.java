package io.github.amb.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.UpdateRules;
import org.junit.jupiter.api.Test;

class LionTest {
  @Test
  void aStepHasTheRatesSizeAndTheGradientsSign() {
    UpdateRule lion = UpdateRules.named("lion").create(2);
    float[] parameters = {1, 1};
    lion.beginStep();
    lion.apply(parameters, new float[] {3, -0.01f}, 0, 2, 0.25);
    assertEquals(0.75f, parameters[0]);
    assertEquals(1.25f, parameters[1]);
  }

  @Test
  void weightDecayIsNotUnderTheSign() {
    assertTrue(UpdateRules.named("lion").create(1).decouplesDecay());
  }
}
