package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engine between real ranks; what they check is in {@link EngineScenarios}. */
@Tag("lab")
class MpiEngineTest {
  @TempDir Path directory;

  @BeforeAll
  static void launcher() {
    MpiRun.assumeLauncher();
  }

  @ParameterizedTest
  @CsvSource({
    "3, order",
    "2, both",
    "3, window",
    "4, broadcast",
    "2, broadcast",
    "2, deadline",
    "2, closed"
  })
  void ranksSeeWhatTheyShould(int ranks, String scenario) throws Exception {
    MpiRun run = MpiRun.of(ranks, directory, EngineScenarios.class, scenario);
    assertEquals(0, run.code(), run::toString);
    assertEquals(ranks, run.out().lines().filter("done"::equals).count(), run::toString);
  }

  @ParameterizedTest
  @CsvSource({"3, sum", "4, sum", "5, sum", "4, flaws"})
  void vectorsAreSummedOnTheirWay(int ranks, String scenario) throws Exception {
    MpiRun run = MpiRun.of(ranks, directory, EngineScenarios.class, scenario);
    assertEquals(0, run.code(), run::toString);
    assertEquals(ranks, run.out().lines().filter("done"::equals).count(), run::toString);
  }

  @Test
  void aVectorOfAnotherLengthIsRejected() throws Exception {
    MpiRun run = MpiRun.of(3, directory, EngineScenarios.class, "uneven");
    assertEquals(7, run.code(), run::toString);
    Pattern rejection = Pattern.compile("malformed message from rank [12]: .* of 2000[01]\\b");
    assertTrue(rejection.matcher(run.err()).find(), run::toString);
  }

  @Test
  void aRankThatHasLeftIsReported() throws Exception {
    MpiRun run = MpiRun.of(2, directory, EngineScenarios.class, "leave");
    assertEquals(0, run.code(), run::toString);
    assertTrue(run.out().contains("all other ranks have left the run"), run::toString);
  }

  @Test
  void aRankThatDoesNotExistIsRejected() throws Exception {
    MpiRun run = MpiRun.of(2, directory, EngineScenarios.class, "wrong");
    assertEquals(0, run.code(), run::toString);
    assertTrue(run.out().contains("expected another rank from 0 to 1, found 2"), run::toString);
  }

  @Test
  void anAbortEndsRanksThatWait() throws Exception {
    MpiRun run = MpiRun.of(3, directory, EngineScenarios.class, "fail");
    assertNotEquals(0, run.code(), run::toString);
    assertEquals(7, run.code(), run::toString);
    assertTrue(run.err().contains("on purpose"), run::toString);
  }
}
