package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.command.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdateRulesTest {
  @Test
  void namesAreTheSeedsAndStandForTheirRules() {
    assertEquals(
        List.of("sgd", "mom", "rms", "adm", "adamw", "dual-averaging"), UpdateRules.all().names());
    assertInstanceOf(Sgd.class, UpdateRules.named("sgd").create(1));
    assertInstanceOf(Momentum.class, UpdateRules.named("mom").create(1));
    assertInstanceOf(RmsProp.class, UpdateRules.named("rms").create(1));
    assertInstanceOf(Adam.class, UpdateRules.named("adm").create(1));
  }

  @Test
  void everyRuleHasASummaryAndItsOwnDefaultLearningRate() {
    UpdateRules.all().all().forEach(entry -> assertFalse(entry.summary().isBlank()));
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
}
