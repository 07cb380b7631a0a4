package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure to write standard output is never a success. */
@EnabledOnOs(OS.LINUX)
@Tag("lab")
class StandardOutputTest {
  private static final Path FULL = Path.of("/dev/full");

  /** Makes file 3 a pipe whose reader has ended. */
  private static final String READER_HAS_LEFT = "exec 3> >(:); wait $!; ";

  @TempDir Path directory;

  private AmbProcess amb(String command, String output) throws Exception {
    return amb("", command, output);
  }

  private AmbProcess amb(String before, String command, String output) throws Exception {
    String line =
        AmbProcess.line(command).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    try (AmbProcess shell =
        AmbProcess.start(directory, List.of("bash", "-c", before + line + output))) {
      shell.awaitEnd(AmbProcess.LIMIT);
      return shell;
    }
  }

  private static void assertFull(AmbProcess amb, String end) throws Exception {
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    String last = amb.stderr().get(amb.stderr().size() - 1);
    assertEquals("amb: cannot write to standard output: No space left on device" + end, last);
  }

  @Test
  void aCommandOnAFullDiskFails() throws Exception {
    assumeTrue(Files.exists(FULL), "there is no /dev/full");
    assertFull(amb("--help", " > /dev/full"), "");
  }

  @Test
  void trainingContinuesWithFullStandardOutput() throws Exception {
    assumeTrue(Files.exists(FULL), "there is no /dev/full");
    AmbProcess amb =
        amb("train toy fmb rms 16 --workers 0 --last-step 20 --evaluate last", " > /dev/full");
    assertFull(amb, "; training is complete");
    assertEquals(20, amb.run().read().ending().steps());
    assertEquals(1, amb.run().read().ending().exitCode());
    assertTrue(Files.exists(amb.run().checkpoints().resolve("step-000000020")));
  }

  /** The run's directory is all that such a run prints. */
  @ParameterizedTest
  @ValueSource(strings = {" >&-", " > /dev/full", " >&3"})
  void theRecordHasTheExitCodeIfTheLastLineIsLost(String output) throws Exception {
    String command = "train toy fmb rms 16 --workers 0 --last-step 3 --evaluate last --quiet";
    AmbProcess amb = amb(READER_HAS_LEFT, command, output);
    assertEquals(output.equals(" >&3") ? 141 : 1, amb.exitCode(), amb.everythingSaid());
    assertEquals(amb.exitCode(), amb.run().read().ending().exitCode());
  }

  @Test
  void aReaderThatLeavesEndsACommandAsOtherTools() throws Exception {
    AmbProcess amb = amb(READER_HAS_LEFT, "--help", " >&3");
    assertEquals(141, amb.exitCode(), amb.everythingSaid());
    assertEquals(List.of(), amb.stderr());
  }

  @Test
  void aReaderThatLeavesDoesNotEndTraining() throws Exception {
    String command = "train toy fmb rms 16 --workers 0 --last-step 20 --evaluate last";
    AmbProcess amb = amb(READER_HAS_LEFT, command, " >&3");
    assertEquals(141, amb.exitCode(), amb.everythingSaid());
    assertEquals(List.of(), amb.stderr());
    assertEquals(20, amb.run().read().ending().steps());
  }
}
