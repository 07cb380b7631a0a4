package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MasterConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<String> warnings = new ArrayList<>();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void linesHaveThePredecessorsFormAndRates() {
    MasterConsole console = new MasterConsole(out, 2, 1, warnings::add);
    console.accept(worker(1, 0.5, false));
    console.accept(worker(2, 1.25, false));
    console.accept(new CollectRecord(1, 1, 2, 0.1, 128));
    console.accept(step(2, 1, 2.302585, 128));
    console.accept(new EvaluationRecord(2, 1, 2.25, 0.125, 100, 0.1));
    console.accept(worker(1, 0.75, false));
    console.accept(worker(2, 0.25, false));
    console.accept(step(9.008, 2, 0.5, 256));
    assertEquals(
        List.of(
            "step = 1, loss = 2.30259, learning_rate = 0.001000 | 0.50 steps/s, 64 examples/s,"
                + " 2/2 workers, slowest 2 (1.250 s)",
            "step = 2, loss = 0.500000, learning_rate = 0.001000, test_loss = 2.25000, accuracy ="
                + " 0.1250 of step 1 (7.008 sec) | 0.22 steps/s, 28 examples/s, 2/2 workers, slowest 1"
                + " (0.750 s)"),
        lines());
  }

  @Test
  void secondsCountFromTheLineBeforeWhenStepsAreLeftOut() {
    MasterConsole console = new MasterConsole(out, 0, 2, warnings::add);
    for (int step = 1; step <= 5; step++) {
      console.accept(step(step, step, 1, step));
    }
    assertEquals(
        List.of(
            "step = 2, loss = 1.00000, learning_rate = 0.001000 | 1.00 steps/s, 1 examples/s",
            "step = 4, loss = 1.00000, learning_rate = 0.001000 (2.000 sec) | 1.00 steps/s, 1"
                + " examples/s"),
        lines());
  }

  @Test
  void aBatchThatRunsOutIsAWarningOnce() {
    MasterConsole console = new MasterConsole(out, 2, 1, warnings::add);
    console.accept(worker(2, 1, true));
    console.accept(worker(1, 1, true));
    console.accept(worker(2, 1, true));
    assertEquals(
        List.of(
            "rank 2 has used its batch before the time limit: raise BATCH-SIZE, or lower a time"
                + " limit that you have given"),
        warnings);
    assertEquals(List.of(), lines());
  }

  @Test
  void aRunWithoutGradientsHasNoLossAndNoRateAtTimeZero() {
    new MasterConsole(out, 0, 1, warnings::add).accept(step(0, 1, Double.NaN, 3));
    assertEquals(List.of("step = 1"), lines());
  }

  @Test
  void numbersDoNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      new MasterConsole(out, 0, 1, warnings::add).accept(step(2, 1, 1.5, 3));
    } finally {
      Locale.setDefault(before);
    }
    assertEquals(
        List.of("step = 1, loss = 1.50000, learning_rate = 0.001000 | 0.50 steps/s, 2 examples/s"),
        lines());
  }

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static StepRecord step(double time, long step, double loss, long totalSamples) {
    return new StepRecord(time, step, loss, 1e-3, 1, totalSamples, 0, 0, 0, 0);
  }

  private static WorkerRecord worker(int rank, double computeTime, boolean exhausted) {
    return new WorkerRecord(1, 1, rank, 64, 1, exhausted, 0, 0, 0, 0, computeTime, 0, 0);
  }
}
