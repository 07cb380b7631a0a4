package io.github.amb.runtime.catalog;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.file.Printable;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What would be learned from a data set, as text: classes with counts, a training example of each
 * of the first classes, and the remarks; of a text, the beginning. Images are drawn in characters,
 * from the least to the largest feature of the example.
 */
record DataPreview(DataSet data) {
  private static final int SHOWN = 3;
  private static final int FEATURES = 8;
  private static final int COLUMNS = 32;
  private static final String SHADES = " .:-=+*#%@";

  /** All of it, in lines. */
  String text() {
    StringBuilder text = new StringBuilder(size());
    if (data.text() == null) {
      addExamples(text);
    } else {
      text.append("the first training example:\n").append(window()).append('\n');
    }
    data.remarks(1).forEach(remark -> text.append("remark: ").append(remark).append('\n'));
    return text.toString();
  }

  private void addExamples(StringBuilder text) {
    boolean classes = data.targets() == Targets.CLASS;
    if (data.targets() != Targets.NUMBERS) {
      text.append(classes());
    }
    IntStream.range(0, classes ? data.classes() : data.train().count())
        .map(label -> classes ? first(data.train(), label) : label)
        .filter(example -> example >= 0)
        .limit(SHOWN)
        .forEach(example -> text.append(example(example)));
  }

  /** The text of the first training example. */
  private String window() {
    float[] tokens = new float[data.shape().size()];
    data.train().copyFeatures(0, tokens);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (float token : tokens) {
      text.writeBytes(data.text().vocabulary().bytes((int) token));
    }
    return Printable.printable(text.toString(StandardCharsets.UTF_8));
  }

  /** The numbers of examples and classes, in a line. */
  String size() {
    return format(
        "%s: %d training and %d test examples of %s in %d %s%n",
        data.name(),
        data.train().count(),
        data.test().count(),
        data.shape(),
        data.classes(),
        data.predicted());
  }

  private String classes() {
    int[] train = counts(data.train());
    int[] test = counts(data.test());
    return new TextTable<Integer>(
            List.of(
                new Column<>("class", 3, false, String::valueOf),
                new Column<>("name", 1, true, this::name),
                new Column<>("training", 2, false, label -> "" + train[label]),
                new Column<>("test", 2, false, label -> "" + test[label])),
            IntStream.range(0, data.classes()).boxed().toList())
        .text(0);
  }

  private String name(int label) {
    List<String> names = data.classNames();
    return names.isEmpty() ? "" : Printable.printable(names.get(label).replace('\n', ' '));
  }

  private int[] counts(Examples examples) {
    int[] counts = new int[data.classes()];
    for (int i = 0; i < examples.count(); i++) {
      for (int label = 0; data.targets() == Targets.LABELS && label < counts.length; label++) {
        counts[label] += (int) examples.target(i, label);
      }
      counts[examples.label(i)] += data.targets() == Targets.CLASS ? 1 : 0;
    }
    return counts;
  }

  private static int first(Examples examples, int label) {
    return IntStream.range(0, examples.count())
        .filter(i -> examples.label(i) == label)
        .findFirst()
        .orElse(-1);
  }

  private String example(int index) {
    float[] features = new float[data.shape().size()];
    data.train().copyFeatures(index, features);
    float[] predicted = new float[data.classes()];
    for (int i = 0; data.targets() != Targets.CLASS && i < predicted.length; i++) {
      predicted[i] = data.train().target(index, i);
    }
    String label =
        data.targets() == Targets.CLASS
            ? "class " + data.train().label(index)
            : data.targets() + " " + numbers(predicted).strip();
    return format("training example %d, %s%n", index, label)
        + (data.shape().height() > 1 ? picture(features) : numbers(features));
  }

  private static String numbers(float[] features) {
    StringBuilder line = new StringBuilder(" ");
    for (int i = 0; i < Math.min(FEATURES, features.length); i++) {
      line.append(format(" %.4g", features[i]));
    }
    return line.append(features.length > FEATURES ? " …\n" : "\n").toString();
  }

  /** Characters are twice as high as wide, so every second row is drawn. */
  private String picture(float[] features) {
    ImageShape shape = data.shape();
    float least = Float.POSITIVE_INFINITY;
    float most = Float.NEGATIVE_INFINITY;
    for (float feature : features) {
      least = Math.min(least, feature);
      most = Math.max(most, feature);
    }
    int columns = Math.min(COLUMNS, shape.width());
    int rows = Math.max(1, shape.height() * columns / shape.width() / 2);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder("  ");
      for (int column = 0; column < columns; column++) {
        int pixel = row * shape.height() / rows * shape.width() + column * shape.width() / columns;
        double sum = 0;
        for (int channel = 0; channel < shape.channels(); channel++) {
          sum += features[channel * shape.height() * shape.width() + pixel];
        }
        double mean = sum / shape.channels();
        double part = most > least ? (mean - least) / (most - least) : 0;
        line.append(SHADES.charAt((int) Math.min(9, 10 * part)));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
