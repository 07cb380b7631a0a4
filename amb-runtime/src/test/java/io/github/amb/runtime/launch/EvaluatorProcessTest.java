package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.train.TrainCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(120)
class EvaluatorProcessTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path folder;
  private RunDirectory run;

  @BeforeEach
  void train() throws Exception {
    run = new RunDirectory(folder.resolve("run"));
    String options =
        "digits fmb rms 16 --workers 0 --network sigmoid-mlp --last-step 1 --evaluate last"
            + " --run-directory "
            + run.path();
    assertEquals(0, new TrainCommand().run(List.of(options.split(" "))));
  }

  @Test
  void theLastCheckpointIsTestedBeforeTheEnd() throws Exception {
    try (EvaluatorProcess evaluator = EvaluatorProcess.start(run, null, warning -> {})) {
      evaluator.await(LONG);
      assertEquals(1, run.evaluatorRecords().size());
    }
  }

  @Test
  void aStoppedEvaluatorIsKilled() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    try (EvaluatorProcess evaluator = EvaluatorProcess.start(run, null, warnings::add)) {
      long pid =
          ProcessHandle.current().children().max(Comparator.naturalOrder()).orElseThrow().pid();
      String stop = "kill -STOP " + pid;
      assertEquals(0, new ProcessBuilder("sh", "-c", stop).start().waitFor());
      evaluator.await(Duration.ofSeconds(1));
      assertTrue(warnings.get(0).startsWith("killed the evaluator (pid " + pid), warnings + "");
      ProcessHandle.of(pid).ifPresent(handle -> handle.onExit().join());
    }
  }

  /** The evaluator would wait for the record of the end. */
  @Test
  void nothingWaitsForARunWithoutARecordedEnd() throws Exception {
    run.write(run.read().withEnding(null));
    try (EvaluatorProcess evaluator = EvaluatorProcess.start(run, null, warning -> {})) {
      evaluator.await(LONG);
      assertNull(run.read().ending());
    }
  }
}
