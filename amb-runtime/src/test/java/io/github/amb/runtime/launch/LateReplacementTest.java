package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.console.RunView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lab")
class LateReplacementTest {
  @TempDir Path directory;

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  /** A replacement that is not ready when training is over is not waited for. */
  @ParameterizedTest
  @ValueSource(strings = {"silent", "ready"})
  void aReplacementThatComesTooLateIsEnded(String replacement) throws Exception {
    assertEquals(new RunOutcome(0, ""), run(180, false, replacement));
  }

  /** One ends, one hangs, and the third joins. */
  @Test
  void aReplacementThatFailsBeforeItJoinsIsReplaced() throws Exception {
    assertEquals(new RunOutcome(0, ""), run(12, false, "exit", "hang", "ready"));
    assertEquals(3, count("starting a replacement for rank 2 "));
    assertEquals(1, count("exited with code 8; this replacement failed to start"));
    assertEquals(1, count("was killed: not ready to join within 12 s"));
    assertEquals(1, count("rank 2 joins"));
  }

  @Test
  void aReplacementThatCannotStartIsReplaced() throws Exception {
    assertEquals(new RunOutcome(0, ""), run(180, true, "exit", "ready"));
    assertEquals(1, count(cannotStart()));
    assertEquals(1, count("rank 2 joins"));
  }

  /** The launcher has tried all replacements when the master ends the run. */
  @Test
  void theRunContinuesWithoutReplacements() throws Exception {
    assertEquals(new RunOutcome(0, ""), run(180, false, "exit", "exit"));
    assertEquals(2, count("exited with code 8; this replacement failed to start"));
    assertEquals(0, count("rank 2 joins"));
  }

  private long count(String part) {
    return warnings.stream().filter(line -> line.contains(part)).count();
  }

  private String cannotStart() {
    return "the replacement for rank 2 cannot start: " + directory.resolve("rank-2.log");
  }

  /** Makes place for the next replacement, or lets the master end the run. */
  private void note(String warning, int replacements) {
    warnings.add(warning);
    try {
      if (warning.startsWith(cannotStart())) {
        Files.delete(directory.resolve("rank-2.log"));
      } else if (count("exited with code 8; ") == replacements) {
        Files.createFile(directory.resolve("ready"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunOutcome run(int startSeconds, boolean blocked, String... replacements)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of(directory.toString(), "" + blocked));
    arguments.addAll(List.of(replacements));
    int respawns = replacements.length;
    RunView view =
        new RunView() {
          @Override
          public void warn(String warning) {
            note(warning, respawns);
          }
        };
    return Launcher.run(
        new LaunchPlan(
            3,
            new LaunchPlan.Program(
                List.of("-Xmx16m", "-XX:TieredStopAtLevel=1"),
                List.of(),
                LateReplacementMain.class.getName(),
                arguments,
                "",
                rank -> Map.of()),
            directory,
            Duration.ofSeconds(startSeconds),
            line -> {},
            new FailurePolicy(1, Duration.ofSeconds(60), Duration.ofSeconds(120), respawns),
            RankPlacement.HERE,
            view));
  }
}
