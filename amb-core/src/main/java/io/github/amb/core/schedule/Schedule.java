package io.github.amb.core.schedule;

/** A learning rate as a function of progress. */
@FunctionalInterface
public interface Schedule {
  /**
   * Learning rate of the next update.
   *
   * @param step number of updates applied so far, without those of a warm-up before this schedule
   * @param epochs number of training examples processed so far, warm-up included, divided by the
   *     size of the training set
   */
  double learningRate(long step, double epochs);

  /**
   * Learning rate of the next update, times {@link #factor} for each plateau.
   *
   * @param step as above
   * @param epochs as above
   * @param plateaus how often so far {@link #patience} tests in a row brought no improvement
   */
  default double learningRate(long step, double epochs, long plateaus) {
    return learningRate(step, epochs) * Math.pow(factor(), plateaus);
  }

  /** What each plateau multiplies the rate by. */
  default double factor() {
    return 1;
  }

  /** Number of tests in a row without improvement that are a plateau; 0 for none. */
  default long patience() {
    return 0;
  }
}
