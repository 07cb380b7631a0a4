package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeoutsTest {
  private static final String ROOT_CAUSE = "amb.timeouts.root-cause";
  private static final String HEARTBEAT = "amb.timeouts.heartbeat";

  @AfterEach
  void clear() {
    System.clearProperty(ROOT_CAUSE);
    System.clearProperty(HEARTBEAT);
  }

  @Test
  void oneCanBeSetInPartsOfASecond() {
    System.setProperty(ROOT_CAUSE, "0.3");
    assertEquals(Duration.ofMillis(300), Timeouts.chosen().rootCause());
    assertEquals(Duration.ofSeconds(30), Timeouts.chosen().afterMaster());
  }

  @Test
  void ranksGetTheHeartbeatOfTheirLauncher() {
    System.setProperty(HEARTBEAT, "0.2");
    assertEquals(
        List.of(
            "-Damb.timeouts.heartbeat=0.2",
            "-Damb.timeouts.greeting=5.0",
            "-Damb.timeouts.save=30"),
        Timeouts.chosen().ofRank());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "0", "-1", "NaN", "Infinity"})
  void otherTextsThanTimesAreRejected(String text) {
    System.setProperty(ROOT_CAUSE, text);
    UsageException rejected = assertThrows(UsageException.class, Timeouts::chosen);
    assertEquals(
        "-Damb.timeouts.root-cause: expected seconds above 0, found '" + text + "'",
        rejected.getMessage());
  }
}
