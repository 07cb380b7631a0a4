package io.github.amb.models.data;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import java.util.Arrays;

/**
 * Labels in an array of shape [n] or [n, 1], as integers, or [n, classes], with a 1 at the class
 * and 0 elsewhere.
 */
final class NpyLabels {
  private NpyLabels() {}

  /**
   * Checks that an array has one label per example.
   *
   * @throws UsageException if it does not
   */
  static void expect(NpyArray labels, int examples) {
    int[] shape = labels.shape();
    boolean fits = shape.length > 0 && shape[0] == examples && labels.length() % examples == 0;
    if (!fits || shape.length > 2) {
      throw new UsageException(
          "%s: expected a label for each of %d examples, shape [%d] or [%d, classes], found %s",
          labels.source(), examples, examples, examples, Arrays.toString(shape));
    }
  }

  /**
   * Reads the labels.
   *
   * @param array must pass {@link #expect}
   * @param examples number of examples
   * @return one class per example
   * @throws UsageException if an entry is not a class
   */
  static long[] of(NpyArray array, int examples) {
    int columns = array.length() / examples;
    long[] labels = new long[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = columns == 1 ? whole(array, i) : position(array, i, columns);
    }
    return labels;
  }

  private static long whole(NpyArray array, int example) {
    double label = array.get(example);
    // NaN is not an integer, either.
    if (label != Math.rint(label) || Double.isInfinite(label)) {
      throw problem(array, example, "a label, a whole number from 0", Double.toString(label));
    }
    return (long) label;
  }

  private static long position(NpyArray array, int example, int columns) {
    int position = -1;
    for (int i = 0; i < columns; i++) {
      double entry = array.get(example * columns + i);
      if (entry == 1 && position < 0) {
        position = i;
      } else if (entry != 0) {
        String expected = "one 1 among %d entries, and 0 elsewhere".formatted(columns);
        throw problem(array, example, expected, "%s in column %d".formatted(entry, i));
      }
    }
    if (position < 0) {
      throw problem(array, example, "a 1 among %s entries".formatted(columns), "zeros");
    }
    return position;
  }

  private static UsageException problem(
      NpyArray array, int example, String expected, String found) {
    return new UsageException(
        "%s: example %d: expected %s, found %s", array.source(), example, expected, found);
  }
}
