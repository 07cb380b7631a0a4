package io.github.amb.runtime.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalDeviceTest {
  private static final long SECOND = 1_000_000_000L;

  private int answer = 132;
  private int asked;
  private long now;

  private TerminalDevice device(Map<String, String> environment) {
    return new TerminalDevice(environment, this::stty, () -> now);
  }

  private int stty() {
    asked++;
    return answer;
  }

  @Test
  void theTerminalIsAskedAgainAfterASecond() {
    TerminalDevice device = device(Map.of());
    assertEquals(132, device.getAsInt());
    answer = 60;
    now = SECOND - 1;
    assertEquals(132, device.getAsInt());
    now = SECOND;
    assertEquals(60, device.getAsInt());
    assertEquals(2, asked);
  }

  @Test
  void theVariableColumnsCountsMore() {
    assertEquals(100, device(Map.of("COLUMNS", "100")).getAsInt());
    assertEquals(0, asked);
  }

  @Test
  void whereNothingIsKnownThereAreEightyColumns() {
    answer = 0;
    assertEquals(80, device(Map.of("COLUMNS", "wide")).getAsInt());
  }
}
