package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.nio.file.Path;
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
    try (AmbProcess amb = AmbProcess.start(part, RUN + " --induce 0.1,0,1 --restarts 2")) {
      amb.awaitSteps(5);
      amb.rank(0).destroyForcibly();
      amb.awaitWhileRunning(() -> said(amb, "resuming"), "a resume");
      amb.awaitWhileRunning(() -> amb.findRank(0).isPresent(), "a new master");
      launchers(amb).forEach(ProcessHandle::destroyForcibly);
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertTrue(said(amb, "restart 2 of 2"), amb.everythingSaid());
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
      long[] steps =
          LogRecord.of(StepRecord.class, amb.run().masterRecords()).stream()
              .mapToLong(StepRecord::step)
              .toArray();
      assertArrayEquals(LongStream.rangeClosed(1, 60).toArray(), steps);
      AmbProcess whole =
          AmbProcess.run(directory.resolve("whole"), run + " --induce 0.1,0,1 --engine sim");
      assertEquals(
          whole.run().read().ending().parametersSha256(),
          amb.run().read().ending().parametersSha256());
    }
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
