package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code --restarts}: runs that continue without a person. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class RestartedRunTest {
  private static final String RUN =
      "train toy fmb rms 16 --workers 1 --evaluate last --checkpoint-every 2 --checkpoint-keep 999"
          + " --last-step 60";

  @TempDir Path directory;

  @Test
  void killsOfMasterAndLauncherCostNoBits() throws Exception {
    Path part = directory.resolve("part");
    Path ends = directory.resolve("ends");
    String onEnd = " --on-end echo${IFS}$AMB_EXIT_CODE>>" + ends;
    try (AmbProcess amb = AmbProcess.start(part, RUN + " --induce 0.1,0,1 --restarts 2" + onEnd)) {
      amb.awaitSteps(5);
      amb.rank(0).destroyForcibly();
      amb.awaitWhileRunning(() -> said(amb, "resuming"), "a resume");
      amb.awaitSteps((int) amb.steps() + 9); // Further than before.
      launchers(amb).forEach(ProcessHandle::destroyForcibly);
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertTrue(said(amb, "restart 2 of 2 in 0.0 s"), amb.everythingSaid());
      assertEquals("137\n1\n0\n", Files.readString(ends));
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      AmbProcess whole =
          AmbProcess.run(directory.resolve("whole"), RUN + " --induce 0.1,0,1 --engine sim");
      assertEquals(
          whole.run().read().ending().parametersSha256(),
          amb.run().read().ending().parametersSha256());
    }
  }

  /** The host of the master is about to be taken away: the run resumes after its last step. */
  @Test
  void aNoticeToTheMasterMakesACheckpoint() throws Exception {
    String run = RUN.replace("--checkpoint-every 2", "--checkpoint-every last");
    Path part = directory.resolve("part");
    try (AmbProcess amb = AmbProcess.start(part, run + " --induce 0.1,0,1 --restarts 1")) {
      amb.awaitSteps(5);
      AmbProcess.signal("TERM", amb.rank(0));
      amb.awaitWhileRunning(() -> said(amb, "resuming"), "a resume");
      assertTrue(said(amb, "restart 1 of 1"), amb.everythingSaid());
      String resumed =
          amb.stderr().stream().filter(line -> line.contains("resuming")).findFirst().orElseThrow();
      assertTrue(Long.parseLong(resumed.replaceFirst(".* ", "")) >= 5, resumed);
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertContinued(amb);
    }
  }

  @Test
  void aStandbyContinuesARunWhoseLauncherIsKilled() throws Exception {
    Path place = directory.resolve("part/runs/one");
    String run = RUN + " --induce 0.1,0,1 --run-directory " + place;
    try (AmbProcess amb = AmbProcess.start(directory.resolve("part"), run);
        AmbProcess next = AmbProcess.start(directory.resolve("next"), run + " --resume standby")) {
      next.awaitWhileRunning(() -> said(next, "waiting until no other program"), "a wait");
      amb.awaitSteps(5);
      assertFalse(said(next, "resuming"), next.everythingSaid());
      amb.kill();
      assertEquals(0, next.awaitEnd(AmbProcess.LIMIT), next.everythingSaid());
      assertContinued(amb);
      AmbProcess late = AmbProcess.run(directory.resolve("late"), run + " --resume standby");
      assertEquals(0, late.exitCode(), late.everythingSaid());
      assertFalse(said(late, "resuming"), late.everythingSaid());
    }
  }

  /** Another machine is another boot or another namespace of process numbers. */
  @Tag("lab")
  @Test
  void aMasterThatWakesAfterAStandbyHasTakenOverEndsAtOnce() throws Exception {
    Path place = directory.resolve("part/runs/one");
    String run = RUN + " --induce 0.1,0,1 --run-directory " + place;
    List<String> elsewhere = new ArrayList<>(List.of("unshare", "-pf", "--mount-proc"));
    assumeTrue(new ProcessBuilder("unshare", "-pf", "--mount-proc", "true").start().waitFor() == 0);
    elsewhere.addAll(AmbProcess.line(run + " --resume standby"));
    try (AmbProcess amb = AmbProcess.start(directory.resolve("part"), run);
        AmbProcess next = AmbProcess.start(directory.resolve("next"), elsewhere)) {
      amb.awaitSteps(5);
      List<ProcessHandle> all = List.of(amb.handle(), amb.rank(0), amb.rank(1));
      for (ProcessHandle process : all) {
        AmbProcess.signal("STOP", process);
      }
      next.awaitWhileRunning(() -> said(next, "resuming"), "a resume");
      for (ProcessHandle process : all) {
        AmbProcess.signal("CONT", process);
      }
      assertEquals(1, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertTrue(said(amb, "took the lock of this run"), amb.everythingSaid());
      assertEquals(0, next.awaitEnd(AmbProcess.LIMIT), next.everythingSaid());
      assertContinued(amb);
    }
  }

  /** Each step is there once, and the bits are those of a whole run. */
  private void assertContinued(AmbProcess amb) throws Exception {
    long[] steps =
        LogRecord.of(StepRecord.class, amb.run().masterRecords()).stream()
            .mapToLong(StepRecord::step)
            .toArray();
    assertArrayEquals(LongStream.rangeClosed(1, 60).toArray(), steps);
    AmbProcess whole =
        AmbProcess.run(directory.resolve("whole"), RUN + " --induce 0.1,0,1 --engine sim");
    assertEquals(
        whole.run().read().ending().parametersSha256(),
        amb.run().read().ending().parametersSha256());
  }

  @Test
  void aSignalEndsItAsItEndsARun() throws Exception {
    String command = "train toy fmb rms 16 --workers 1 --max-time 3000 --restarts 9";
    try (AmbProcess amb = AmbProcess.start(directory, command)) {
      amb.awaitSteps(2);
      amb.handle().destroy();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      assertEquals(130, amb.run().read().ending().exitCode());
      assertFalse(said(amb, "restart 1"), amb.everythingSaid());
    }
  }

  /** A launcher that is killed before it has made a directory has said nothing of one. */
  @Test
  void aRunThatHasNotBegunBegins() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, RUN + " --restarts 1")) {
      amb.awaitWhileRunning(() -> !launchers(amb).isEmpty(), "a launcher");
      launchers(amb).forEach(ProcessHandle::destroyForcibly);
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertTrue(said(amb, "restart 1 of 1"), amb.everythingSaid());
      assertFalse(said(amb, "resuming"), amb.everythingSaid());
    }
  }

  private static List<ProcessHandle> launchers(AmbProcess amb) {
    return amb.living(words -> words.stream().anyMatch(word -> word.startsWith("-Damb.restarts")));
  }

  @Test
  void whatIsWrongWouldBeWrongAgain() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory, "train toy fmb rms 16 --restarts 9 --network no-such");
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertFalse(said(amb, "restart 1"), amb.everythingSaid());
  }

  private static boolean said(AmbProcess amb, String words) {
    return amb.everythingSaid().contains(words);
  }
}
