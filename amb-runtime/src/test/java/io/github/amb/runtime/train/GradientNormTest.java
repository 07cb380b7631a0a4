package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on a quadratic without noise, whose gradient's norm is known at each test. */
@Timeout(120)
class GradientNormTest extends VirtualRuns {
  private static final String RUN =
      "quadratic:d=9,noise=0 fmb sgd 2 --engine sim --workers 2 --cost-per-example 1"
          + " --learning-rate 0.3 --weight-decay 0 --last-step 4 --evaluate blocking";

  @ParameterizedTest
  @ValueSource(strings = {" --gradient-norm", " --clip-norm 1e9", " --clip-norm 1e-3"})
  void theNormIsThatOfTheObjectivesGradient(String option) throws IOException {
    RunDirectory run = train("run", RUN + option);
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    for (StepRecord step : stepRecords(run).subList(1, 4)) {
      EvaluationRecord before =
          tests.stream().filter(test -> test.step() == step.step() - 1).findFirst().orElseThrow();
      double norm = Math.sqrt(before.metrics().get("squared_gradient_norm"));
      // Gradients and parameters are floats: each entry is rounded a few times.
      assertEquals(norm, step.metrics().get("gradient_norm"), 1e-5 * norm);
    }
  }

  @Test
  void changesOfWorkersAreMeasured() throws IOException {
    RunDirectory run =
        train("run", RUN.replace(" fmb ", " local-sgd ") + " --local-steps 1 --gradient-norm");
    EvaluationRecord test = LogRecord.of(EvaluationRecord.class, run.masterRecords()).get(0);
    double change = 0.3 * Math.sqrt(test.metrics().get("squared_gradient_norm"));

    assertEquals(
        change,
        stepRecords(run).get((int) test.step()).metrics().get("gradient_norm"),
        1e-5 * change);
  }

  @Test
  void nothingIsMeasuredUnlessItIsAskedFor() throws IOException {
    RunDirectory run = train("run", RUN);

    assertNull(stepRecords(run).get(0).metrics().get("gradient_norm"));
    assertFalse(Files.readString(run.masterLog()).contains("\"gradient_norm\""));
  }
}
