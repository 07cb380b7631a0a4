package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Broken and lost results; {@link MessagesMatrixTest} has more. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class LostResultsTest {
  private static final String RUN =
      "train toy fmb rms 16 --workers 2 --evaluate last --last-step 8 ";

  @TempDir Path directory;

  /** The worker's codec finds it, not the master. */
  @Test
  void aGradientThatIsNotANumberIsNamedByACodec() throws Exception {
    AmbProcess amb =
        AmbProcess.run(directory, RUN + "--codec qsgd:4+min=1 --inject nan:rank=2,step=4");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    assertNotANumberIsNamed(2, amb);
  }

  private static void assertNotANumberIsNamed(int finder, AmbProcess amb) throws IOException {
    List<String> lines = amb.stderr();
    String cause = lines.get(lines.size() - 1);
    assertTrue(
        cause.matches(
            "amb: rank "
                + finder
                + " .*: step 4: gradient of rank 2, examples 48 to 63 of its order, block conv1.b, .* smaller learning rate,"
                + " or drop such results with --non-finite drop; resume after step 3 with: amb train --resume "
                + Pattern.quote(amb.run().path().toString())),
        cause);
    assertEquals(3, amb.run().read().ending().steps());
    Checkpoint saved =
        new CheckpointDirectory(amb.run().checkpoints(), Origin.ANY)
            .latest(told -> {})
            .orElseThrow();
    assertEquals(3, saved.step());
  }

  /** Without a repetition master and worker would wait for each other for ever. */
  @Test
  void aLostEncodedResultIsSentAgain() throws Exception {
    String run = RUN + "--codec topk:0.1+min=1 --downlink-codec qsgd:4+min=1 ";
    AmbProcess amb =
        AmbProcess.run(directory, run + "--inject drop-message:rank=2,step=4 --dead-after 1");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    assertEquals(8, amb.run().read().ending().steps());
    List<MembershipRecord> generations = generations(amb);
    assertEquals(List.of(1, 2), generations.get(0).workers());
    assertTrue(
        generations.get(0).cause().startsWith("messages were lost: rank 2 has sent"),
        generations.toString());
    AmbProcess whole = AmbProcess.run(directory.resolve("whole"), run + "--engine sim");
    assertEquals(
        whole.run().read().ending().parametersSha256(),
        amb.run().read().ending().parametersSha256());
  }

  /** Through sockets; the fault matrix has the case of shared memory. */
  @Test
  void aResultThatComesTwiceCountsOnce() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory, RUN + "--shared-memory none --inject duplicate-message:rank=2,step=4");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    String log = Files.readString(amb.run().console(0));
    assertTrue(log.contains("dropped GRADIENT of step 4 from rank 2: expected"), log);
    assertEquals(List.of(), generations(amb));
    AmbProcess whole = AmbProcess.run(directory.resolve("whole"), RUN + "--engine sim");
    assertEquals(
        whole.run().read().ending().parametersSha256(),
        amb.run().read().ending().parametersSha256());
  }

  @Test
  void aFullDiskIsReportedOnTheConsole() throws Exception {
    AmbProcess amb = AmbProcess.run(directory, RUN + "--inject disk-full:step=2");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    String said = String.join("\n", amb.stderr());
    assertTrue(
        said.contains(
            "amb: cannot write the checkpoint of step 8: java.io.IOException: No space left on device"),
        said);
    assertTrue(
        said.matches(
            "(?s).*\namb: rank 0 \\(pid \\d+\\) exited with code 1: cannot save the final parameters: [^\n]*; make room on the disk; no checkpoint was written; start a new run"),
        said);
  }

  @Test
  void aMalformedMessageEndsARunBelowMinimum() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory,
            RUN + "--codec int8+min=1 --min-workers 2 --inject corrupt-message:rank=2,step=3");
    assertEquals(21, amb.exitCode(), amb.everythingSaid());
    List<String> lines = amb.stderr();
    String cause = lines.get(lines.size() - 1);
    assertTrue(cause.contains("was killed: malformed message: GRADIENT of step 3: "), cause);
    assertEquals(2, amb.run().read().ending().steps());
    assertTrue(
        cause.endsWith(
            "; resume after step 2 with: amb train --resume %s".formatted(amb.run().path())),
        cause);
  }

  private static List<MembershipRecord> generations(AmbProcess amb) throws IOException {
    return LogRecord.of(MembershipRecord.class, amb.run().masterRecords());
  }
}
