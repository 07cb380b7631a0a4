package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.state.StateMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdateRulesTest {
  @Test
  void namesArePredecessorProgramsNames() {
    assertEquals(
        List.of("sgd", "mom", "rms", "adm", "adamw", "dual-averaging"), UpdateRules.ALL.names());
    assertInstanceOf(Sgd.class, UpdateRules.named("sgd").create(1));
    assertInstanceOf(Momentum.class, UpdateRules.named("mom").create(1));
    assertInstanceOf(RmsProp.class, UpdateRules.named("rms").create(1));
    assertInstanceOf(Adam.class, UpdateRules.named("adm").create(1));
  }

  @Test
  void everyRuleHasADefaultLearningRate() {
    UpdateRules.ALL.all().forEach(entry -> assertFalse(entry.summary().isBlank()));
    assertEquals(0.1, UpdateRules.named("sgd").defaultLearningRate());
    assertEquals(0.01, UpdateRules.named("mom").defaultLearningRate());
    assertEquals(0.001, UpdateRules.named("rms").defaultLearningRate());
    assertEquals(0.001, UpdateRules.named("adm").defaultLearningRate());
  }

  @Test
  void everyCallMakesAnotherRule() {
    assertNotSame(UpdateRules.named("sgd").create(1), UpdateRules.named("sgd").create(1));
  }

  @Test
  void anUnknownNameIsAnsweredWithTheNearestOne() {
    var error = assertThrows(UsageException.class, () -> UpdateRules.named("rmsp"));
    assertEquals("unknown update rule 'rmsp', did you mean 'rms'?", error.getMessage());
  }

  /** Two steps, a checkpoint, a third: bit for bit what three steps without one come to. */
  @Test
  void aRestoredRuleContinuesAsTheOther() {
    for (UpdateRules.Entry entry : UpdateRules.ALL.all()) {
      UpdateRule rule = entry.create(2);
      float[] w = {1, -1};
      step(rule, w, 3);
      step(rule, w, -2);
      StateMap state = new StateMap();
      state.save("rule", rule);
      UpdateRule restored = entry.create(2);
      state.restore("rule", restored);
      float[] same = w.clone();
      step(rule, w, 1);
      step(restored, same, 1);
      assertArrayEquals(w, same, entry.name());
      assertEquals(rule.steps(), restored.steps(), entry.name());
    }
  }

  private static void step(UpdateRule rule, float[] w, float gradient) {
    rule.beginStep();
    rule.apply(w, new float[] {gradient, gradient / 2}, 0, 2, 0.1);
  }
}
