package io.github.amb.runtime.train.rank;

import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.function.Consumer;

/**
 * Drops non-finite results. Logs the first nine, then the 10th, 20th, ..., 90th, the 100th, 200th,
 * and so on.
 */
public final class DroppedResults implements NonFinite {
  private static final int BASE = 10;

  private final Consumer<String> warnings;
  private long dropped;
  private long unit = 1;

  /**
   * @param warnings receives lines with rank, step and the non-finite value
   */
  public DroppedResults(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  @Override
  public boolean leavesOut(int rank, long step, long first, long examples, String found) {
    dropped++;
    unit = dropped == BASE * unit ? dropped : unit;
    if (dropped % unit == 0) {
      String warning =
          "result of rank %d for step %d dropped, %s: %s"
              .formatted(rank, step, batch(first, examples), found);
      warnings.accept(unit == 1 ? warning : "%s; %d dropped so far".formatted(warning, dropped));
    }
    return true;
  }

  private static String batch(long first, long examples) {
    return first < 0
        ? examples + " examples"
        : NonFiniteGradientException.examples(first, examples);
  }
}
