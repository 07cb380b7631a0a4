package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes form one generation after the other; {@code -Damb.test.generations=200} for many.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class GenerationsTest {
  private static final int GENERATIONS = Integer.getInteger("amb.test.generations", 8);

  @TempDir Path directory;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void manyGenerationsLeaveNothingBehind() throws Exception {
    LaunchPlan plan =
        Plans.surviving(
            LaunchPlan.local(
                3,
                List.of("-Xmx256m"),
                GenerationsMain.class.getName(),
                List.of(Integer.toString(GENERATIONS)),
                directory,
                line -> {}),
            new FailurePolicy(1, Duration.ofMillis(20), Duration.ofSeconds(60), 0));
    assertEquals(new RunOutcome(0, ""), Launcher.run(plan));
    for (int rank = 0; rank < 3; rank++) {
      String log = Files.readString(directory.resolve("rank-" + rank + ".log"));
      List<String> held = log.lines().filter(line -> line.startsWith("generation ")).toList();
      assertEquals(2, held.size(), log);
      System.out.println("rank " + rank + " " + held.get(0) + ", " + held.get(1));
      assertTrue(count(held.get(1), 3) <= count(held.get(0), 3) + 4, "threads: " + held);
      assertTrue(count(held.get(1), 5) <= count(held.get(0), 5) + 8, "files: " + held);
      assertTrue(count(held.get(1), 7) <= count(held.get(0), 7) + 32, "direct memory: " + held);
    }
  }

  private static int count(String line, int word) {
    return Integer.parseInt(line.split(" ")[word]);
  }
}
