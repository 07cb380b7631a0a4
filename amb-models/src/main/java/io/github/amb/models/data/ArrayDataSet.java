package io.github.amb.models.data;

import io.github.amb.core.gradient.Finite;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.StoredExamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Data sets of arrays that a program has in memory. Features are used unchanged. */
public final class ArrayDataSet {
  /** What the user calls it. */
  public static final String NAME = "memory";

  /**
   * Features and labels.
   *
   * @param features example by example, each channel by channel and row by row; not copied
   * @param labels a class from 0 for each example; not modified
   */
  public record Part(float[] features, int[] labels) {}

  private ArrayDataSet() {}

  /**
   * A data set of the given parts. Of one part alone, every tenth example is for testing.
   *
   * @param shape shape of one example
   * @param test null if there is no such part
   * @throws UsageException with all problems
   */
  public static DataSet of(ImageShape shape, Part train, Part test) {
    List<String> problems = new ArrayList<>();
    check("training data", shape, train, problems);
    if (test != null) {
      check("test data", shape, test, problems);
    } else if (train.labels().length < 2) {
      problems.add("training data: expected at least 2 examples, found " + train.labels().length);
    }
    UsageException.expectNone(problems);
    int classes = ExampleArrays.classes("training data", longs(train.labels()));
    StoredExamples all = examples("training data", train, classes);
    int count = all.count();
    return test == null
        ? new DataSet(
            NAME,
            shape,
            classes,
            new SelectedExamples(all, ExampleArrays.part(count, false)),
            new SelectedExamples(all, ExampleArrays.part(count, true)))
        : new DataSet(NAME, shape, classes, all, examples("test data", test, classes));
  }

  private static void check(String what, ImageShape shape, Part part, List<String> problems) {
    long expected = (long) shape.size() * part.labels().length;
    if (shape.size() <= 0 || part.features().length != expected) {
      problems.add(
          "%s: expected %d features for %d labels and examples of %s, found %d"
              .formatted(what, expected, part.labels().length, shape, part.features().length));
      return;
    }
    int bad = Finite.firstBad(part.features(), 0, part.features().length);
    if (bad >= 0) {
      problems.add(
          "%s: example %d, feature %d: expected a finite number, found %s"
              .formatted(what, bad / shape.size(), bad % shape.size(), part.features()[bad]));
    }
  }

  private static StoredExamples examples(String what, Part part, int classes) {
    return ExampleArrays.numbers(
        what, part.features(), ExampleArrays.checked(what, longs(part.labels()), classes));
  }

  private static long[] longs(int[] labels) {
    return Arrays.stream(labels).asLongStream().toArray();
  }
}
