package io.github.amb.plots.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.EvaluatorLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationsTest {
  @TempDir Path folder;

  @Test
  void theEvaluationOnMostExamplesCounts() throws IOException {
    RunDirectory run = new ExampleRun("fmb").steps(4).evaluateEvery(2).write(folder);
    try (EvaluatorLog log = new EvaluatorLog(run)) {
      // The run's own evaluations, of steps 2 and 4, are on 100 examples.
      log.append(new EvaluationRecord(6, 3, 1, 0.93, 1000, 0.1));
      log.append(new EvaluationRecord(4, 2, 1, 0.92, 1000, 0.1));
      log.append(new EvaluationRecord(8, 4, 1, 0.94, 10, 0.1));
    }

    List<EvaluationRecord> found =
        RunReader.read(run).evaluations().stream()
            .sorted((a, b) -> Long.compare(a.step(), b.step()))
            .toList();

    assertEquals(List.of(2L, 3L, 4L), found.stream().map(EvaluationRecord::step).toList());
    assertEquals(List.of(1000, 1000, 100), found.stream().map(EvaluationRecord::testSize).toList());
    assertEquals(4, RunReader.read(run).steps().size());
  }
}
