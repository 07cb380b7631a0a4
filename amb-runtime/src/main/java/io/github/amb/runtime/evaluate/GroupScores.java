package io.github.amb.runtime.evaluate;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.statistic.Sorted;
import io.github.amb.models.data.DerivedExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Scores of parameters on groups of examples.
 *
 * @param text a table of the groups
 * @param metrics numbers of all groups together, by name
 */
record GroupScores(String text, Map<String, Double> metrics) {
  /** Examples of which one class is asked for, whatever theirs is. */
  private record Asked(Examples examples, int[] asked) implements DerivedExamples {
    @Override
    public int label(int example) {
      return asked[0];
    }

    @Override
    public void copyLabels(int example, int[] target) {
      target[0] = asked[0];
    }
  }

  /**
   * The scores of each {@code class} or of each {@code worker}; empty for no groups.
   *
   * @throws UsageException if the groups are others, or the run has no classes
   */
  static GroupScores by(String groups, RunModel model, float[] parameters) {
    return switch (groups) {
      case "" -> new GroupScores("", Map.of());
      case "class" -> byClass(model, parameters);
      case "worker" -> byWorker(model, parameters);
      default -> throw new UsageException("--by: expected class or worker, found '%s'", groups);
    };
  }

  /**
   * Accuracy, precision and F1 of each class of the test examples, the mean of F1 over the classes
   * that an example has or is taken for, and the AUC of two classes. Takes as many tests as there
   * are classes.
   */
  private static GroupScores byClass(RunModel model, float[] parameters) {
    DataSet data = model.data;
    int classes = data.classes();
    int[][] groups = new int[classes][];
    for (int label = 0; label < classes; label++) {
      int own = label;
      IntStream tested = IntStream.range(0, model.testSize());
      groups[label] = tested.filter(i -> data.test().label(i) == own).toArray();
    }
    double[][] found = new double[classes][classes]; // By class, and by what it is taken for.
    double[] margins = new double[classes == 2 ? model.testSize() : 0];
    int[] asked = new int[1];
    try (GradientSource source = model.open(new Asked(data.test(), asked))) {
      for (; asked[0] < classes; asked[0]++) {
        for (int label = 0; label < classes; label++) {
          int count = groups[label].length;
          Evaluation scores = source.evaluate(parameters, groups[label], 0, count);
          found[label][asked[0]] = count == 0 ? 0 : Math.rint(scores.accuracy() * count);
        }
        // The loss as one class, less that as the other, rises with what makes it the other.
        for (int i = 0; i < margins.length; i++) {
          double loss = source.evaluate(parameters, new int[] {i}, 0, 1).loss();
          margins[i] += asked[0] == 0 ? loss : -loss;
        }
      }
    }
    double[] f1 = new double[classes];
    List<Row> rows = new ArrayList<>();
    for (int label = 0; label < classes; label++) {
      int column = label;
      double right = found[label][label];
      double count = Arrays.stream(found[label]).sum();
      double taken = Stream.of(found).mapToDouble(row -> row[column]).sum();
      if (count != groups[label].length) {
        throw new UsageException("--by class: expected a run that classifies, found another one");
      }
      f1[label] = 2 * right / (count + taken);
      String name = data.classNames().isEmpty() ? "" + label : data.classNames().get(label);
      rows.add(new Row(name, groups[label].length, right / count, right / taken, f1[label]));
    }
    double mean = Arrays.stream(f1).filter(Double::isFinite).average().orElse(Double.NaN);
    Map<String, Double> metrics = new TreeMap<>(Map.of("macro_f1", mean));
    if (classes == 2) {
      metrics.put("auc", auc(margins, example -> data.test().label(example) == 1));
    }
    return new GroupScores(table("class", rows, "accuracy", "precision", "F1"), metrics);
  }

  /**
   * The area under the receiver operating characteristic: the share of pairs of a positive and a
   * negative example in which the positive one has the larger score. Ties count half. NaN if there
   * are no pairs.
   */
  static double auc(double[] scores, IntPredicate positive) {
    int[] order =
        Sorted.of(
            IntStream.range(0, scores.length),
            Comparator.comparingDouble(example -> scores[example]));
    double pairs = 0;
    double[] before = new double[2]; // Negative and positive examples of smaller scores.
    for (int from = 0, to; from < order.length; from = to) {
      double[] tied = new double[2];
      for (to = from; to < order.length && scores[order[to]] == scores[order[from]]; to++) {
        tied[positive.test(order[to]) ? 1 : 0]++;
      }
      pairs += tied[1] * (before[0] + tied[0] / 2);
      before[0] += tied[0];
      before[1] += tied[1];
    }
    return pairs / (before[0] * before[1]);
  }

  /** Loss and accuracy on each worker's training examples. */
  private static GroupScores byWorker(RunModel model, float[] parameters) {
    int[][] shards = model.shards();
    List<Row> rows = new ArrayList<>();
    try (GradientSource source = model.open(model.data.train())) {
      for (int worker = 0; worker < shards.length; worker++) {
        int[] shard = shards[worker];
        Evaluation scores = source.evaluate(parameters, shard, 0, shard.length);
        rows.add(new Row("" + (worker + 1), shard.length, scores.loss(), scores.accuracy()));
      }
    }
    return new GroupScores(table("worker", rows, "loss", "accuracy"), Map.of());
  }

  private static String table(String group, List<Row> rows, String... numbers) {
    List<Column<Row>> columns = new ArrayList<>();
    columns.add(new Column<>(group, 1, true, Row::name));
    columns.add(new Column<>("examples", 1, false, row -> "" + row.examples()));
    for (int i = 0; i < numbers.length; i++) {
      int index = i;
      columns.add(new Column<>(numbers[i], 1, false, row -> shown(row.numbers()[index])));
    }
    return new TextTable<>(columns, rows).text(0);
  }

  private static String shown(double number) {
    return Double.isNaN(number) ? "–" : Decimal.format("%.4f", number);
  }

  private record Row(String name, int examples, double... numbers) {}
}
