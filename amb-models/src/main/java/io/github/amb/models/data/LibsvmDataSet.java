package io.github.amb.models.data;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.SparseExamples;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Sparse examples in a file {@code NAME.libsvm} or {@code NAME.libsvm.gz}. Test examples are in
 * {@code NAME.t.libsvm} beside it; without one, every tenth is held out. With {@code :targets}
 * after it, labels are numbers to predict.
 */
final class LibsvmDataSet extends OwnData {
  private static final Pattern NAME = Pattern.compile("(.+)(\\.libsvm(?:\\.gz)?)(:targets)?");

  private final Path test;
  private final boolean numbers;

  /**
   * @param test file of test examples, if there is one; null to hold examples out
   * @param numbers whether labels are numbers to predict
   */
  LibsvmDataSet(String name, Path path, Path test, boolean numbers) {
    super(name, path);
    this.test = test;
    this.numbers = numbers;
  }

  private LibsvmDataSet(String name, Matcher parts) {
    this(
        name,
        Path.of(parts.group(1) + parts.group(2)),
        Path.of(parts.group(1) + ".t" + parts.group(2)),
        parts.group(3) != null);
  }

  /** The file of a name; empty if it is not of one. */
  static Optional<DataSetDefinition> of(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Optional.of(new LibsvmDataSet(name, matcher)) : Optional.empty();
  }

  @Override
  DataSet open() throws IOException {
    LibsvmText text = new LibsvmText();
    int examples = text.read(path);
    boolean apart = test != null && Files.exists(test);
    int all = apart ? text.read(test) : examples;
    SparseExamples read = text.examples(path, numbers);
    int[] training = apart ? range(0, examples) : ExampleArrays.part(all, false);
    int[] testing = apart ? range(examples, all) : ExampleArrays.part(all, true);
    if (training.length == 0 || testing.length == 0) {
      throw new UsageException("%s: expected at least 2 examples, found %d", path, all);
    }
    if (apart) {
      expectKnown(read, training, testing, text.classes);
    }
    String held = "test examples: " + testing.length + (apart ? " in " + test.getFileName() : "");
    String note = apart ? held : held + ", every tenth of " + all;
    return new DataSet(
        name(),
        new ImageShape(1, 1, text.features),
        read.targets() == Targets.NUMBERS ? 1 : Math.max(2, text.classes.size()),
        read.select(training),
        read.select(testing),
        text.classes.size() < 2 ? List.of() : text.classes,
        text.unsorted ? note + "; features were sorted by index" : note,
        null);
  }

  private void expectKnown(
      SparseExamples all, int[] training, int[] testing, List<String> classes) {
    BitSet known = new BitSet();
    Arrays.stream(training).forEach(example -> known.set(all.label(example)));
    for (int example : testing) {
      if (!classes.isEmpty() && !known.get(all.label(example))) {
        throw new UsageException(
            "%s: expected the labels of the training examples, found %s; write the labels of both"
                + " alike",
            test, classes.get(all.label(example)));
      }
    }
  }

  private static int[] range(int from, int to) {
    return IntStream.range(from, to).toArray();
  }

  @Override
  Map<String, String> sums() throws IOException {
    Map<String, String> sums = new LinkedHashMap<>();
    sums.put(path.toString(), Sha256.of(path));
    if (Files.exists(test)) {
      sums.put(test.toString(), Sha256.of(test));
    }
    return sums;
  }
}
