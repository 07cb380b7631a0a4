package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs of the virtual cluster that end during native code: with their cause and without a crash.
 */
@EnabledOnOs(OS.LINUX)
@Tag("lab")
class EarlyEndTest {
  /** Options with long batches, so that native code runs at any end. */
  private static final String ASYNC =
      "train digits async sgd 256 --network adacomp-cnn --engine sim --cost-per-example 0.001"
          + " --workers 8 --weight-decay 0 --evaluate last ";

  @TempDir Path directory;

  private static String lastError(AmbProcess amb) throws Exception {
    List<String> lines = amb.stderr();
    return lines.get(lines.size() - 1);
  }

  @Test
  void trainingThatDivergesSaysSo() throws Exception {
    AmbProcess amb = AmbProcess.run(directory, ASYNC + "--learning-rate 1e6 --last-step 2000");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    assertTrue(lastError(amb).matches(".*(diverged|finite).*"), lastError(amb));
    assertEquals(1, amb.run().read().ending().exitCode());
  }

  @Test
  void aResultThatIsNotFiniteIsNamed() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory, ASYNC + "--learning-rate 0.01 --last-step 500 --inject nan:rank=3,step=5");
    assertEquals(1, amb.exitCode(), amb.everythingSaid());
    assertTrue(lastError(amb).contains("gradient of rank 3"), lastError(amb));
    assertEquals(1, amb.run().read().ending().exitCode());
  }

  @Test
  void aHealthyRunThatIsStoppedSaysSo() throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(directory, ASYNC + "--learning-rate 0.01 --last-step 1000000")) {
      amb.awaitSteps(5);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      assertEquals(130, amb.run().read().ending().exitCode());
    }
  }
}
