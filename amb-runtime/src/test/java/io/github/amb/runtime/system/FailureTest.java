package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * However a run fails, it ends soon, reports the cause, and leaves no process behind; {@link
 * LostRanksMatrixTest} has more.
 */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class FailureTest {
  private static final String LONG = "train toy fmb rms 16 --max-time 3000 --evaluate last ";

  @TempDir Path directory;

  @Test
  void aKilledWorkerEndsARunThatNeedsIt() throws Exception {
    String command = LONG + "--workers 2 --min-workers 2 --checkpoint-every last";
    try (AmbProcess amb = AmbProcess.start(directory, command)) {
      amb.awaitSteps(3);
      long pid = amb.rank(2).pid();
      amb.rank(2).destroyForcibly();
      assertEquals(21, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertEquals(
          "amb: workers left: 1, fewer than --min-workers 2: rank 2 (pid %d) was killed by signal 9; %s"
              .formatted(pid, continuation(amb, 3)),
          lastError(amb));
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      assertEnding(amb, 21);
      assertTrue(amb.run().read().ending().steps() >= 3);
    }
  }

  /** Java then aborts with another signal. */
  @Tag("lab")
  @Test
  void aCrashOfNativeCodeNamesItsReport() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 1")) {
      amb.awaitSteps(3);
      new ProcessBuilder("kill", "-SEGV", Long.toString(amb.rank(1).pid())).start().waitFor();
      assertEquals(20, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String last = lastError(amb);
      assertTrue(
          last.matches(
              "amb: rank 1 \\(pid \\d+\\) was killed by signal 6: # {2}SIGSEGV \\(0xb\\) at pc=.*; see rank-1-crash\\.log; "
                  + continuation(amb, 3)),
          last);
      assertTrue(Files.exists(amb.run().path().resolve("rank-1-crash.log")));
    }
  }

  @Test
  void aRunResumesAfterItsMasterWasKilled() throws Exception {
    String command = LONG + "--workers 1 --checkpoint-every 1";
    try (AmbProcess amb = AmbProcess.start(directory, command)) {
      amb.awaitWhileRunning(() -> checkpoint(amb) >= 1, "a checkpoint");
      assertMasterKilled(amb);
      String last = lastError(amb);
      assertTrue(last.endsWith("; " + continuation(amb, 1)), last);
    }
  }

  private static void assertMasterKilled(AmbProcess amb) throws Exception {
    long pid = amb.rank(0).pid();
    amb.rank(0).destroyForcibly();
    assertEquals(137, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    String last = lastError(amb);
    assertTrue(
        last.startsWith("amb: rank 0 (pid %d) was killed by signal 9; ".formatted(pid)), last);
    amb.awaitNoDescendants(AmbProcess.LIMIT);
    assertEnding(amb, 137);
  }

  /** The program waits at a named pipe, whose other end learns that it reads. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anInterruptBeforeTheRunIsReported() throws Exception {
    Path pipe = directory.resolve("config");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--config " + pipe);
        OutputStream end = Files.newOutputStream(pipe)) {
      assertNotNull(end);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertEquals("amb: " + RunOutcome.INTERRUPTED + " before the run began", lastError(amb));
    }
  }

  @Test
  void anInterruptOfLocalTrainingIsReported() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, LONG + "--workers 0")) {
      amb.awaitSteps(3);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertEquals("amb: " + RunOutcome.INTERRUPTED + "; " + continuation(amb, 3), lastError(amb));
      assertEnding(amb, 130);
    }
  }

  /** The parameters take 13 MB, and Adam's state three more vectors of that size. */
  @Tag("lab")
  @Test
  void aMasterWithoutMemoryNamesItsOption() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory,
            "train digits fmb adm 4 --network mnist-cnn --workers 1 --master-heap 64 --last-step 2");
    assertEquals(3, amb.exitCode(), amb.everythingSaid());
    String last = lastError(amb);
    assertTrue(
        last.matches(
            "amb: rank 0 \\(pid \\d+\\) exited with code 3: .*; raise --master-heap; no checkpoint was written; start a new run"),
        last);
  }

  @Test
  void localTrainingWithoutMemorySaysHowToGiveItMore() throws Exception {
    List<String> line = new ArrayList<>(AmbProcess.line("train toy fmb rms 20000000 --workers 0"));
    line.add(1, "-Xmx64m");
    line.remove("-Xmx1g");
    AmbProcess amb = AmbProcess.start(directory, line);
    assertEquals(1, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    assertEquals(
        "amb: OutOfMemoryError: Java heap space; give Java more, as with AMB_OPTIONS=-Xmx4g; no checkpoint was written; start a new run",
        lastError(amb));
  }

  @Test
  void divergedTrainingNamesTheGradient() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory, "train toy fmb sgd 16 --learning-rate 1e30 --workers 0 --last-step 50");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    String last = lastError(amb);
    assertTrue(
        last.matches(
            "amb: step 2: gradient of rank 1, .* try a smaller learning rate.*; "
                + continuation(amb, 1)),
        last);
    assertEnding(amb, 1);
    assertTrue(Files.readString(amb.run().console(0)).contains("\tat io.github.amb."));
  }

  private static String lastError(AmbProcess amb) throws IOException {
    List<String> lines = amb.stderr();
    assertTrue(!lines.isEmpty(), amb.everythingSaid());
    return lines.get(lines.size() - 1);
  }

  /** The end of a message about a run with a checkpoint of {@code least} steps or more. */
  private static String continuation(AmbProcess amb, long least) throws IOException {
    long step = checkpoint(amb);
    assertTrue(step >= least, amb.everythingSaid());
    return "resume after step %d with: amb train --resume %s".formatted(step, amb.run().path());
  }

  /** Step of the newest checkpoint; 0 if there is none. */
  private static long checkpoint(AmbProcess amb) throws IOException {
    CheckpointDirectory checkpoints = new CheckpointDirectory(amb.run().checkpoints(), Origin.ANY);
    return checkpoints.latest(told -> {}).map(Checkpoint::step).orElse(0L);
  }

  /** Checks that the last line begins with the recorded cause. */
  private static void assertEnding(AmbProcess amb, int exitCode) throws IOException {
    RunInfo.Ending ending = amb.run().read().ending();
    assertEquals(exitCode, ending.exitCode());
    String last = lastError(amb);
    assertTrue(last.startsWith("amb: " + ending.cause() + "; "), last);
  }
}
