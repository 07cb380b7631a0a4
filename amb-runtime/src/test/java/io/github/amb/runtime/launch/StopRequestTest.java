package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("system")
class StopRequestTest {
  private static final long LIMIT_SECONDS = 60;

  @TempDir Path directory;

  /**
   * Saving takes twice as long as a step may; without a call of {@code saving} the limit of a step
   * holds.
   */
  @ParameterizedTest
  @CsvSource({"true, 4000", "false, 45000"})
  void theEndWaitsForWhatIsBeingSaved(boolean saves, long millis) throws Exception {
    assertEquals(saves, saves(saves, millis, 30));
    assertEquals("", Files.readString(directory.resolve("errors")));
  }

  @Test
  void aDiskThatTakesTooLongIsNamedWithTheRemedy() throws Exception {
    assertFalse(saves(true, 45_000, 1));
    String said = Files.readString(directory.resolve("errors"));
    assertTrue(said.contains(StopRequest.SAVE_PROPERTY), said);
  }

  private boolean saves(boolean saves, long millis, int limit) throws Exception {
    Path saved = directory.resolve("saved");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + StopRequest.SAVE_PROPERTY + "=" + limit,
                "-cp",
                System.getProperty("java.class.path"),
                StopMain.class.getName(),
                saved.toString(),
                Long.toString(millis),
                Boolean.toString(saves))
            .redirectError(directory.resolve("errors").toFile())
            .start();
    try (BufferedReader output = process.inputReader()) {
      assertEquals("ready", output.readLine());
      process.destroy();
      assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    return Files.exists(saved);
  }
}
