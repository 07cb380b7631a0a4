package io.github.amb.runtime.fault;

import io.github.amb.core.scheme.NonFinite;
import io.github.amb.core.update.NonFiniteGradientException;
import java.util.function.Consumer;

/**
 * Leaves out results that are not finite, and tells of the first few, and then of fewer and fewer:
 * the 20th, the 30th, ..., the 200th.
 */
public final class DroppedResults implements NonFinite {
  private static final int BASE = 10;

  private final Consumer<String> warnings;
  private long dropped;
  private long unit = 1;

  /**
   * @param warnings receives lines that name rank, step and what was found
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
