package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that end when they have used up what they may. */
@Timeout(120)
class BudgetRunTest extends VirtualRuns {
  private static final String RUN = "toy fmb sgd 16" + SMALL + " --last-step 9 --budget ";

  private static final ToDoubleFunction<StepRecord> BYTES =
      step -> step.bytesSent() + step.bytesReceived();

  @ParameterizedTest
  @CsvSource({"updates, 3.5", "examples, 150", "bytes, 60000", "seconds, 1.2"})
  void aRunEndsAtTheFirstUpdateThatHasUsedItUp(String unit, double amount) throws IOException {
    ToDoubleFunction<StepRecord> used =
        switch (unit) {
          case "updates" -> StepRecord::step;
          case "examples" -> StepRecord::totalSamples;
          case "bytes" -> BYTES;
          default -> StepRecord::time;
        };
    List<StepRecord> steps = stepRecords(train("run", RUN + unit + "=" + amount));
    int last = steps.size() - 1;

    assertTrue(last > 0 && last < 8, steps.toString());
    assertTrue(used.applyAsDouble(steps.get(last)) >= amount, steps.toString());
    assertTrue(used.applyAsDouble(steps.get(last - 1)) < amount, steps.toString());
  }

  @Test
  void aRunContinuesWithAnotherBudget() throws IOException {
    double bytes = BYTES.applyAsDouble(train("whole", RUN + "updates=6").lastStep());
    train("run", RUN + "bytes=" + bytes / 2);
    RunDirectory more = resume("run", "--last-step 9 --budget bytes=" + bytes);

    assertEquals(6, more.read().ending().steps());
    assertThrows(UsageException.class, () -> resume("run", "--budget bytes=" + bytes / 2));
  }

  @Test
  void withoutWorkersThereAreNoBytes() {
    String alone = "toy fmb sgd 16 --workers 0 --budget bytes=5";

    assertThrows(UsageException.class, () -> train("run", alone));
  }
}
