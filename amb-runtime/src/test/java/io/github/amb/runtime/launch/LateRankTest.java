package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.console.RunView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("system")
class LateRankTest {
  @TempDir Path directory;

  /** Its death is the proof that the limit has passed. */
  @Tag("lab")
  @Test
  void onlyARankThatDoesNotComputeIsLate() throws Exception {
    Path killed = directory.resolve("killed");
    RunView view =
        new RunView() {
          @Override
          public void warn(String warning) {
            if (warning.contains("did not join within")) {
              create(killed);
            }
          }
        };
    LaunchPlan plan =
        new LaunchPlan(
            3,
            new LaunchPlan.Program(
                List.of("-Xmx16m", "-XX:TieredStopAtLevel=1"),
                List.of(),
                LateRankMain.class.getName(),
                List.of(killed.toString()),
                "",
                rank -> Map.of()),
            directory,
            Duration.ofSeconds(20),
            line -> {},
            new FailurePolicy(1, Duration.ofMillis(100), Duration.ofSeconds(120), 0),
            RankPlacement.HERE,
            view);
    assertEquals(new RunOutcome(0, ""), Launcher.run(plan));
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
