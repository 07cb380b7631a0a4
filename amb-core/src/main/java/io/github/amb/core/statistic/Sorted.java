package io.github.amb.core.statistic;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Sorts numbers, such as indices, by what they stand for. */
public final class Sorted {
  private Sorted() {}

  /** The numbers in an order; those that are alike in it stay as they were. */
  public static int[] of(IntStream numbers, Comparator<Integer> order) {
    return numbers.boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }
}
