package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;
import java.util.Arrays;

/**
 * The gradient sums of one update: added up per worker as they come, handed out in rank order, so
 * that the update does not depend on the order of arrival among workers.
 */
final class Gathering {
  private final Frame[] frames;
  private final boolean[] present;
  private final float[][] sums;
  private final int[] ranks;
  private int results;
  private int contributors;

  Gathering(int workers) {
    frames = new Frame[workers];
    present = new boolean[workers];
    sums = new float[workers][];
    ranks = new int[workers];
    for (int worker = 0; worker < workers; worker++) {
      frames[worker] = new Frame();
    }
  }

  /**
   * Takes a result, and the frame with it.
   *
   * @return a frame for the caller to use in its place
   */
  Frame take(Frame result) {
    results++;
    int worker = result.source() - 1;
    Frame held = frames[worker];
    if (present[worker]) {
      add(held, result);
      return result;
    }
    present[worker] = true;
    frames[worker] = result;
    return held;
  }

  private static void add(Frame sum, Frame result) {
    float[] total = sum.values();
    float[] values = result.values();
    for (int i = 0; i < result.length(); i++) {
      total[i] += values[i];
    }
    sum.examples(sum.examples() + result.examples());
    sum.stat(
        GradientStats.LOSS_SUM,
        sum.stat(GradientStats.LOSS_SUM) + result.stat(GradientStats.LOSS_SUM));
  }

  /** Whether there is a result of {@code worker}, counted from 0. */
  boolean has(int worker) {
    return present[worker];
  }

  /** Results taken. */
  int results() {
    return results;
  }

  /** Examples in all results. */
  long examples() {
    long examples = 0;
    for (int worker = 0; worker < frames.length; worker++) {
      examples += present[worker] ? frames[worker].examples() : 0;
    }
    return examples;
  }

  /** Sum of all examples' losses. */
  double lossSum() {
    double sum = 0;
    for (int worker = 0; worker < frames.length; worker++) {
      sum += present[worker] ? frames[worker].stat(GradientStats.LOSS_SUM) : 0;
    }
    return sum;
  }

  /** Lines up what has been taken for {@link #sums} and {@link #ranks}. */
  void close() {
    contributors = 0;
    for (int worker = 0; worker < frames.length; worker++) {
      if (present[worker]) {
        sums[contributors] = frames[worker].values();
        ranks[contributors] = worker + 1;
        contributors++;
      }
    }
  }

  /** Number of workers that results came from. */
  int contributors() {
    return contributors;
  }

  /** One sum per contributor, in rank order. Not copies. */
  float[][] sums() {
    return sums;
  }

  /** The contributors' ranks, ascending. */
  int[] ranks() {
    return ranks;
  }

  /** The result of contributor {@code index}, {@link #sums} its values. */
  Frame result(int index) {
    return frames[ranks[index] - 1];
  }

  /** Starts the next update's gathering. */
  void clear() {
    Arrays.fill(present, false);
    results = 0;
  }
}
