package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One rank fails, and three lose their connections at that moment: exit code and cause are always
 * those of the one. {@code -Damb.repeat=100} repeats it.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lab")
class RootCauseTest {
  private static final int REPEAT = Integer.getInteger("amb.repeat", 1);
  private static final int RANKS = 4;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "exit, 3, exited with code 3",
    "kill, 137, was killed by signal 9",
    "memory, 3, 'exited with code 3: Terminating due to java.lang.OutOfMemoryError: Java heap space; raise --worker-heap'",
    "throw, 1, 'exited with code 1: java.lang.IllegalStateException: the rank''s own cause'",
    "mute, 1, 'exited with code 1: java.lang.IllegalStateException: the rank''s own cause'",
    "forge, 4, exited with code 4"
  })
  void theRankThatFailedIsTheCause(String how, int code, String event) throws Exception {
    for (int i = 0; i < REPEAT; i++) {
      Path run = Files.createDirectory(directory.resolve(how + i));
      RunOutcome outcome = Launcher.run(plan(run, how));
      String pattern = "rank 3 \\(pid \\d+\\) \\Q" + event + "\\E";
      assertTrue(outcome.cause().matches(pattern), i + ": " + outcome);
      assertEquals(code, outcome.exitCode(), i + ": " + outcome);
    }
  }

  private static LaunchPlan plan(Path run, String how) {
    return LaunchPlan.local(
        RANKS,
        List.of("-Xmx16m", "-XX:TieredStopAtLevel=1", "-Xshare:auto"),
        RootCauseMain.class.getName(),
        List.of(Integer.toString(RANKS), run.toString(), how),
        run,
        line -> {});
  }
}
