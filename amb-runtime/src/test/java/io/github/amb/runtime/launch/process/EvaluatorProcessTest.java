package io.github.amb.runtime.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.train.TrainCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(120)
class EvaluatorProcessTest {
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
      evaluator.await();
      assertEquals(1, run.evaluatorRecords().size());
    }
  }

  /** The evaluator would wait for the record of the end. */
  @Test
  void nothingWaitsForARunWithoutARecordedEnd() throws Exception {
    run.write(run.read().withEnding(null));
    try (EvaluatorProcess evaluator = EvaluatorProcess.start(run, null, warning -> {})) {
      evaluator.await();
      assertNull(run.read().ending());
    }
  }
}
