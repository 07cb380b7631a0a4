package io.github.amb.core.scheme;

import java.util.Arrays;

/**
 * Groups of s + 1 workers that all compute the same s + 1 batches and send their plain sum; one of
 * each group is enough.
 */
final class FractionalRepetition implements GradientCode {
  private final int groupSize;

  /**
   * @param stragglers s, such that s + 1 divides the number of workers
   */
  FractionalRepetition(int stragglers) {
    groupSize = stragglers + 1;
  }

  @Override
  public int batch(int worker, int k) {
    return worker - worker % groupSize + (worker + k) % groupSize;
  }

  @Override
  public double coefficient(int worker, int k) {
    return 1;
  }

  @Override
  public boolean decode(boolean[] present, double[] weights) {
    Arrays.fill(weights, 0);
    for (int group = 0; group < present.length; group += groupSize) {
      int worker = group;
      while (worker < group + groupSize && !present[worker]) {
        worker++;
      }
      if (worker == group + groupSize) {
        return false;
      }
      weights[worker] = 1;
    }
    return true;
  }
}
