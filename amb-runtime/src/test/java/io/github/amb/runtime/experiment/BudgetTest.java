package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.Budget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
  private static final RunMeasure LOSS = measure(RunQuantity.LOSS, Double.NaN);

  private static RunMeasure measure(RunQuantity quantity, double loss) {
    return new RunMeasure("m", quantity, Double.NaN, loss, "", 1, 1, 0, 0, false);
  }

  /** Step n of 4 ends at 2n s, after 10n examples and 1,100n bytes, with the loss 5 - n. */
  private static List<LogRecord> run() {
    List<LogRecord> records = new ArrayList<>();
    for (int n = 1; n <= 4; n++) {
      records.add(new StepRecord(2 * n, n, 1, 0.1, 10, 10L * n, 0, 0, 1000L * n, 100L * n));
      records.add(new EvaluationRecord(2 * n, n, 5 - n, 0, 100, 0));
    }
    return records;
  }

  @ParameterizedTest
  @CsvSource({
    "updates=2, 3",
    "examples=20, 3",
    "examples=21, 2",
    "bytes=3.3e3, 2",
    "seconds=8, 1",
    "seconds=9, NaN"
  })
  void aNumberIsTakenWhereTheBudgetIsUsedUp(String budget, double loss) {
    assertEquals(loss, LOSS.of(run(), Budget.parse(budget)).value());
  }

  @ParameterizedTest
  @CsvSource({
    "seconds=1.2, seconds=1.2",
    "examples=5e3, examples=5000",
    "bytes=1e10, bytes=10000000000"
  })
  void theTextIsTheShortestThatIsReadBack(String given, String text) {
    assertEquals(text, Budget.parse(given).toString());
  }

  @Test
  void withoutABudgetTheWholeRunCounts() {
    assertEquals(1, LOSS.of(run(), Budget.NONE).value());
  }

  @Test
  void aTargetIsToBeReachedWithinTheBudget() {
    RunMeasure time = measure(RunQuantity.TIME, 3);

    assertEquals(4, time.of(run(), Budget.parse("examples=20")).value());
    assertEquals(Double.NaN, time.of(run(), Budget.parse("examples=10")).value());
    // The run ended at its target, before it had used the budget up.
    assertEquals(4, time.of(run(), Budget.parse("examples=1000")).value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "examples",
        "examples=",
        "examples=0",
        "epochs=2",
        "bytes=x",
        "bytes=1e999",
        "bytes=Infinity"
      })
  void otherTextsAreRejected(String text) {
    assertThrows(UsageException.class, () -> Budget.parse(text));
  }
}
