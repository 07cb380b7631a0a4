package io.github.amb.models.data;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.Targets;
import java.util.Arrays;

/**
 * Labels in an array of shape [n] or [n, 1], as integers from 0 or as −1 and 1, or [n, classes],
 * with a 1 at the class and 0 elsewhere; or numbers to predict, or 1 or 0 for each of several
 * labels.
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
   * @param targets what they are
   * @param first the label of class 0
   * @param classes number of classes or columns; 0 for what is found
   * @throws UsageException if an entry is no such label
   */
  static Labels of(NpyArray array, int examples, Targets targets, int first, int classes) {
    int columns = array.length() / examples;
    if (targets == Targets.CLASS) {
      long[] labels = new long[examples];
      for (int i = 0; i < examples; i++) {
        labels[i] = columns == 1 ? whole(array, i) - first : position(array, i, columns);
      }
      boolean signed = first == 0 && Arrays.stream(labels).allMatch(label -> Math.abs(label) == 1);
      long[] all = signed ? Arrays.stream(labels).map(l -> (l + 1) / 2).toArray() : labels;
      int most = classes > 0 ? classes : ExampleArrays.classes(array.source(), all);
      return ExampleArrays.checked(array.source(), all, most);
    }
    if (classes > 0 && columns != classes) {
      throw new UsageException(
          "%s: expected %d columns as in the training part, found %d",
          array.source(), classes, columns);
    }
    float[] numbers = new float[array.length()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) array.get(i);
      if (targets == Targets.LABELS
          ? numbers[i] * (numbers[i] - 1) != 0
          : !Float.isFinite(numbers[i])) {
        String expected = targets == Targets.LABELS ? "0 or 1" : "a finite number";
        throw problem(array, i / columns, expected, Double.toString(array.get(i)));
      }
    }
    return Labels.of(targets, numbers, examples);
  }

  private static long whole(NpyArray array, int example) {
    double label = array.get(example);
    // NaN is not an integer, either.
    if (label != Math.rint(label) || Double.isInfinite(label)) {
      throw problem(
          array,
          example,
          "a label, a whole number from 0",
          label + "; numbers to predict are FILE.npz:targets");
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
