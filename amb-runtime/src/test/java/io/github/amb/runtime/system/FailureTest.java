package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** However a run fails, it ends soon, says why, and leaves no process behind. */
@EnabledOnOs(OS.LINUX)
class FailureTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final String LONG = "train toy fmb rms 16 --max-time 300 --evaluate last ";

  @TempDir Path directory;

  @Test
  void aWorkerThatIsKilledEndsTheRunAndIsNamed() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 2")) {
      amb.awaitSteps(3);
      long pid = amb.rank(2).pid();
      amb.rank(2).destroyForcibly();
      assertNotEquals(0, amb.awaitEnd(SOON));
      String cause = lastError(amb);
      assertTrue(cause.startsWith("amb: rank "), cause);
      assertTrue(cause.contains("rank 2"), cause);
      assertTrue(!cause.startsWith("amb: rank 2") || cause.contains("pid " + pid), cause);
      amb.awaitNoDescendants(SOON);
      assertEnding(amb, amb.exitCode(), cause);
      assertTrue(amb.run().read().ending().steps() >= 3);
    }
  }

  @Test
  void aLauncherThatIsKilledTakesItsRanksAlong() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 2")) {
      amb.awaitSteps(3);
      amb.kill();
      assertEquals(137, amb.awaitEnd(SOON));
      amb.awaitNoDescendants(SOON);
      assertNull(amb.run().read().ending());
      assertTrue(amb.run().masterRecords().size() >= 3);
    }
  }

  @Test
  void aLauncherThatIsToldToStopEndsItsRanksAndSaysSo() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 2")) {
      amb.awaitSteps(3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(SOON), amb.everythingSaid());
      amb.awaitNoDescendants(SOON);
      assertEquals("amb: stopped from outside", lastError(amb));
      assertEnding(amb, 130, "amb: stopped from outside");
    }
  }

  @Test
  void localTrainingThatIsToldToStopSaysSo() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 0")) {
      amb.awaitSteps(3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(SOON), amb.everythingSaid());
      assertEquals("amb: stopped from outside", lastError(amb));
      assertEnding(amb, 130, "amb: stopped from outside");
    }
  }

  /** The batch alone is 80 MB, and only workers have one. */
  @Test
  void aWorkerThatThrowsEndsTheRunWithItsCause() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory, "train toy fmb rms 20000000 --workers 1 --worker-heap 64");
    assertNotEquals(0, amb.exitCode());
    String cause = lastError(amb);
    assertTrue(cause.matches("amb: rank 1 \\(pid \\d+\\) exited with code \\d+: .*"), cause);
    assertTrue(cause.contains("OutOfMemoryError"), cause);
    amb.awaitNoDescendants(SOON);
    assertEnding(amb, amb.exitCode(), cause);
  }

  @Test
  void trainingThatDivergesNamesTheGradientAndWhatToDo() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory, "train toy fmb sgd 16 --learning-rate 1e30 --workers 0 --last-step 50");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    String cause = lastError(amb);
    assertTrue(cause.matches("amb: gradient of rank 1, .* try a smaller learning rate"), cause);
    assertEnding(amb, 1, cause);
    assertTrue(Files.readString(amb.run().console(0)).contains("\tat io.github.amb."));
  }

  private static String lastError(AmbProcess amb) throws IOException {
    List<String> lines = amb.stderr();
    assertTrue(!lines.isEmpty(), amb.everythingSaid());
    return lines.get(lines.size() - 1);
  }

  private static void assertEnding(AmbProcess amb, int exitCode, String line) throws IOException {
    RunInfo.Ending ending = amb.run().read().ending();
    assertEquals(exitCode, ending.exitCode());
    assertEquals(line, "amb: " + ending.cause());
  }
}
