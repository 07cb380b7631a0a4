package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several ranks' failures a run's launcher finds. */
class ExitFileTest {
  @TempDir Path directory;

  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("exit");
  }

  private void assertRecorded(String code, String cause) throws IOException {
    assertEquals(code, Files.readAllLines(file).get(0));
    assertEquals(cause, ExitFile.cause(file));
  }

  @Test
  void aFailureReplacesTheLossesThatItLedTo() throws IOException {
    ExitFile.record(file, 1, "rank 0: lost rank 2", false);
    assertRecorded("1", "rank 0: lost rank 2");
    ExitFile.record(file, 1, "rank 2: broken", true);
    ExitFile.record(file, 1, "rank 1: lost rank 2", false);
    assertRecorded("1", "rank 2: broken");
  }

  @Test
  void theFirstOfTwoFailuresStays() throws IOException {
    ExitFile.record(file, 1, "rank 2: broken", true);
    ExitFile.record(file, 1, "rank 1: broken, too", true);
    assertRecorded("1", "rank 2: broken");
  }

  @Test
  void successDoesNotReplaceAFailure() throws IOException {
    ExitFile.record(file, 0, "", true);
    ExitFile.record(file, 1, "rank 2: broken", true);
    ExitFile.record(file, 0, "", true);
    assertRecorded("1", "rank 2: broken");
  }
}
