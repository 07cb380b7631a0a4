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
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("system")
class LateReplacementTest {
  @TempDir Path directory;

  /** A rank that others wait for in vain is killed after a while, and named in the outcome. */
  @ParameterizedTest
  @ValueSource(strings = {"silent", "ready"})
  void aReplacementThatComesTooLateIsEnded(String replacement) throws Exception {
    assertEquals(new RunOutcome(0, ""), run(replacement, warning -> {}));
  }

  /** The master ends the run when the launcher has tried to start the replacement. */
  @Test
  void theRunSurvivesAReplacementThatCannotStart() throws Exception {
    String failure =
        "the replacement for rank 2 cannot start, continuing without it: "
            + directory.resolve("rank-2.log");
    RunOutcome outcome =
        run(
            "blocked",
            warning -> {
              if (warning.startsWith(failure)) {
                create("ready");
              }
            });
    assertEquals(new RunOutcome(0, ""), outcome);
  }

  private void create(String file) {
    try {
      Files.createFile(directory.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunOutcome run(String replacement, Consumer<String> warnings) throws Exception {
    RunView view =
        new RunView() {
          @Override
          public void warn(String warning) {
            warnings.accept(warning);
          }
        };
    return Launcher.run(
        new LaunchPlan(
            3,
            new LaunchPlan.Program(
                List.of("-Xmx16m", "-XX:TieredStopAtLevel=1"),
                List.of(),
                LateReplacementMain.class.getName(),
                List.of(directory.toString(), replacement),
                rank -> Map.of()),
            directory,
            Duration.ofMinutes(3),
            line -> {},
            new FailurePolicy(1, Duration.ofSeconds(60), Duration.ofSeconds(120), 1),
            RankPlacement.HERE,
            view));
  }
}
