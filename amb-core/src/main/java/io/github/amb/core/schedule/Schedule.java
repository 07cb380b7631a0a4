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
}
