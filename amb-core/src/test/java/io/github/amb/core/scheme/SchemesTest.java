package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import org.junit.jupiter.api.Test;

class SchemesTest {
  @Test
  void ambNeedsItsTwoOptionsAndSaysSoAtOnce() {
    var e =
        assertThrows(
            UsageException.class,
            () -> Schemes.named("amb").create(new SchemeOptions(64, null, null)));
    var problems = e.getMessage().lines().toList();
    assertEquals(2, problems.size());
    assertTrue(problems.get(0).contains("--amb-time-limit"));
    assertTrue(problems.get(1).contains("--amb-num-partitions"));
  }

  @Test
  void thereAreNoMorePartitionsThanExamples() {
    var e =
        assertThrows(
            UsageException.class,
            () -> Schemes.named("amb").create(new SchemeOptions(64, 1.0, 65)));
    assertEquals(
        "--amb-num-partitions: expected 1 to 64 (the batch size), found 65", e.getMessage());
  }

  @Test
  void anUnknownNameIsAnsweredWithANearOne() {
    var e = assertThrows(UsageException.class, () -> Schemes.named("fbm"));
    assertTrue(e.getMessage().contains("unknown scheme 'fbm'"));
    assertTrue(e.getMessage().contains("fmb"));
  }
}
