package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** However a run fails, it ends soon, says why, and leaves no process behind. */
@EnabledOnOs(OS.LINUX)
class FailureTest {
  private static final String LONG = "train toy fmb rms 16 --max-time 3000 --evaluate last ";

  @TempDir Path directory;

  @Test
  void aWorkerThatIsKilledEndsARunThatNeedsItAndIsNamed() throws Exception {
    String command = LONG + "--workers 2 --min-workers 2 --checkpoint-every last";
    try (AmbProcess amb = AmbProcess.start(directory, command)) {
      amb.awaitSteps(3);
      long pid = amb.rank(2).pid();
      amb.rank(2).destroyForcibly();
      assertEquals(21, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String cause = lastError(amb);
      assertTrue(
          cause.startsWith(
              "amb: 1 workers left, fewer than --min-workers 2: rank 2 (pid %d) was killed by signal 9"
                  .formatted(pid)),
          cause);
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      assertEnding(amb, 21, cause);
      assertTrue(amb.run().read().ending().steps() >= 3);
      assertTrue(
          new CheckpointDirectory(amb.run().checkpoints()).latest(w -> {}).orElseThrow().step()
              >= 3);
    }
  }

  /** Java aborts itself then, by another signal. */
  @Test
  void aCrashOfNativeCodeIsNamedAndItsReportIsBesideTheLogs() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 1")) {
      amb.awaitSteps(3);
      new ProcessBuilder("kill", "-SEGV", Long.toString(amb.rank(1).pid())).start().waitFor();
      assertEquals(20, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String cause = lastError(amb);
      assertTrue(cause.contains(" was killed by signal 6: #  SIGSEGV (0xb) at pc="), cause);
      assertTrue(Files.exists(amb.run().path().resolve("rank-1-crash.log")));
    }
  }

  @Test
  void allWorkersKilledEndTheRunWithACheckpoint() throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(directory, LONG + "--workers 1 --checkpoint-every last")) {
      amb.awaitSteps(3);
      amb.rank(1).destroyForcibly();
      assertEquals(20, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertTrue(lastError(amb).startsWith("amb: rank 1 (pid "), lastError(amb));
      assertTrue(
          new CheckpointDirectory(amb.run().checkpoints()).latest(w -> {}).orElseThrow().step()
              >= 3);
    }
  }

  @Test
  void aLauncherThatIsKilledTakesItsRanksAlong() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 2")) {
      amb.awaitSteps(3);
      amb.kill();
      assertEquals(137, amb.awaitEnd(AmbProcess.LIMIT));
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      assertNull(amb.run().read().ending());
      assertTrue(amb.run().masterRecords().size() >= 3);
    }
  }

  @Test
  void aLauncherThatIsToldToStopEndsItsRanksAndSaysSo() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 2")) {
      amb.awaitSteps(3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      assertEquals("amb: stopped from outside", lastError(amb));
      assertEnding(amb, 130, "amb: stopped from outside");
    }
  }

  /** It waits for a pipe's other end to open, which is told at once that it reads. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aProgramThatIsToldToStopBeforeItHasARunSaysSo() throws Exception {
    Path pipe = directory.resolve("config");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--config " + pipe);
        OutputStream end = Files.newOutputStream(pipe)) {
      assertNotNull(end);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertEquals("amb: stopped from outside before the run began", lastError(amb));
    }
  }

  @Test
  void localTrainingThatIsToldToStopSaysSo() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 0")) {
      amb.awaitSteps(3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
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
    assertTrue(cause.endsWith("; raise --worker-heap"), cause);
    amb.awaitNoDescendants(AmbProcess.LIMIT);
    assertEnding(amb, amb.exitCode(), cause);
  }

  @Test
  void trainingThatDivergesNamesTheGradientAndWhatToDo() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory, "train toy fmb sgd 16 --learning-rate 1e30 --workers 0 --last-step 50");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    String cause = lastError(amb);
    assertTrue(
        cause.matches("amb: step 2: gradient of rank 1, .* try a smaller learning rate, .*"),
        cause);
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
