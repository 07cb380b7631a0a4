package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(120)
class JvmPoolTest {
  private static final String RUN =
      "train toy fmb sgd 8 --network logistic-regression --workers 2 --engine sim"
          + " --cost-per-example 1 --cost-per-test-example 0 --evaluate last --last-step ";

  private final ProgramProcess program = new ProgramProcess("300m", 1);
  @TempDir Path folder;

  private List<String> words(String name, String more) {
    List<String> words = new ArrayList<>(List.of((RUN + more).split(" ")));
    words.addAll(List.of("--run-directory", folder.resolve(name).toString()));
    return words;
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  private String bits(String name) throws Exception {
    return new RunDirectory(folder.resolve(name)).read().ending().parametersSha256();
  }

  @Test
  void aProgramMakesRunsAsProgramsOfTheirOwnDo() throws Exception {
    assertEquals(0, program.start(words("own", "5 --seed 2"), log("own")).exit().code());
    try (JvmPool pool = new JvmPool(program)) {
      assertEquals(0, pool.start(words("first", "9"), log("first")).exit().code());
      List<Long> programs = programs();
      assertEquals(2, pool.start(words("wrong", "-1"), log("wrong")).exit().code());
      assertTrue(ProgramProcess.lastLine(log("wrong")).contains("last-step"));
      assertEquals(0, pool.start(words("second", "5 --seed 2"), log("second")).exit().code());
      assertEquals(1, programs.size());
      assertEquals(programs, programs());
    }
    assertEquals(bits("own"), bits("second"));
    assertEquals(folder.resolve("second").toString(), ProgramProcess.lastLine(log("second")));
  }

  @Tag("lab")
  @Test
  void aSignalEndsARunAndAKilledProgramIsReplaced() throws Exception {
    try (JvmPool pool = new JvmPool(program)) {
      var stopped = pool.start(words("stopped", "1000000"), log("stopped"));
      awaitSteps("stopped");
      stopped.process().toHandle().destroy();
      assertEquals(130, stopped.exit().code());
      assertEquals(130, new RunDirectory(folder.resolve("stopped")).read().ending().exitCode());
      var killed = pool.start(words("killed", "1000000"), log("killed"));
      awaitSteps("killed");
      killed.process().toHandle().destroyForcibly();
      assertEquals(137, killed.exit().code());
      assertEquals(0, pool.start(words("after", "5"), log("after")).exit().code());
    }
  }

  /** A folder stands where the log should be. */
  @Test
  void aLogThatCannotBeWrittenFailsTheRun() throws Exception {
    try (JvmPool pool = new JvmPool(program)) {
      Files.createDirectory(log("other"));
      var run = pool.start(words("other", "5"), log("other"));
      assertThrows(IOException.class, run.exit()::code);
      assertEquals(0, pool.start(words("after", "5"), log("after")).exit().code());
    }
  }

  private void awaitSteps(String name) throws Exception {
    Path records = new RunDirectory(folder.resolve(name)).masterLog();
    while (Files.notExists(records) || Files.size(records) == 0) {
      Thread.sleep(20);
    }
  }

  private static List<Long> programs() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).sorted().toList();
  }
}
