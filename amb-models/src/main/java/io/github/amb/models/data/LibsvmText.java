package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.SparseExamples;
import io.github.amb.models.data.example.Targets;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads LIBSVM's text: a line {@code LABEL INDEX:VALUE …} for each example. Indices are from 1, in
 * any order, none twice. Blank lines and what follows a {@code #} are left out. If all labels are
 * whole numbers, and few enough differ, they are classes in their order. Otherwise, or if the user
 * wants it, they are numbers to predict.
 */
final class LibsvmText {
  /** Largest index: a vector of parameters has an entry for each. */
  private static final int MAX_INDEX = 1 << 24;

  private int[] starts = new int[1024];
  private int[] indices = new int[1024];
  private float[] values = new float[1024];
  private float[] targets = new float[1024];
  private int examples;
  private int entries;
  private Path file;
  private int line;

  /** Number of features: the largest index. */
  int features;

  /** Whether the indices of an example were not ascending. */
  boolean unsorted;

  /** The labels of the classes, in their order; empty if labels are numbers. */
  List<String> classes = List.of();

  /**
   * Adds the examples of a file.
   *
   * @return the number of all examples so far
   * @throws UsageException if a line is malformed; the message has its number and what to do
   * @throws IOException if it cannot be read
   */
  int read(Path path) throws IOException {
    file = path;
    line = 0;
    boolean compressed = path.toString().endsWith(".gz");
    try (Utf8Text characters = new Utf8Text(path, compressed);
        BufferedReader text = new BufferedReader(characters)) {
      for (String next = text.readLine(); next != null; next = text.readLine()) {
        line++;
        characters.startRow();
        int comment = next.indexOf('#');
        String content = (comment < 0 ? next : next.substring(0, comment)).strip();
        if (!content.isEmpty()) {
          add(content.split("[ \\t]+"));
        }
      }
    }
    return examples;
  }

  private void add(String[] words) {
    if (examples + 2 > starts.length) {
      starts = Arrays.copyOf(starts, doubled(starts.length));
      targets = Arrays.copyOf(targets, starts.length);
    }
    targets[examples] = number(words[0], "a label, a finite number");
    for (int i = 1; i < words.length; i++) {
      addEntry(words[i]);
    }
    sort(starts[examples], entries);
    examples++;
    starts[examples] = entries;
  }

  private void addEntry(String word) {
    int colon = word.indexOf(':');
    if (word.startsWith("qid:")) {
      throw problem(
          "an index",
          word,
          "ranking is not supported; remove the qid, as with sed 's/qid:[0-9]* //'");
    }
    String index = colon < 0 ? word : word.substring(0, colon);
    if (colon < 0 || !index.matches("\\d{1,9}") || Integer.parseInt(index) > MAX_INDEX) {
      throw problem(
          "INDEX:VALUE with an index from 1 to " + MAX_INDEX, word, "correct or remove it");
    }
    int feature = Integer.parseInt(index) - 1;
    if (feature < 0) {
      throw problem("an index from 1", word, "add 1 to every index of the file");
    }
    float value = number(word.substring(colon + 1), "a value, a finite number");
    features = Math.max(features, feature + 1);
    if (value != 0) {
      if (entries == indices.length) {
        indices = Arrays.copyOf(indices, doubled(entries));
        values = Arrays.copyOf(values, indices.length);
      }
      indices[entries] = feature;
      values[entries] = value;
      entries++;
    }
  }

  /** Twice a length of two arrays, if there is memory for them and their copies. */
  private int doubled(int length) {
    long bytes = 2L * length * (Integer.BYTES + Float.BYTES);
    if (bytes > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "%s: line %d: expected at most %d bytes of examples, found more",
          file, line, DataLimits.EXAMPLE_BYTES);
    }
    BoundedFile.requireMemory(file.toString(), 2 * bytes);
    return 2 * length;
  }

  private float number(String text, String expected) {
    float number = Decimal.is(text) ? Decimal.single(text) : Float.NaN;
    if (!Float.isFinite(number)) {
      throw problem(
          expected,
          text,
          text.contains(",") ? "one label and a decimal point" : "correct it or remove the line");
    }
    return number;
  }

  /** Sorts the entries of an example by index; usually they are. */
  private void sort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (indices[i] < indices[i - 1]) {
        unsorted = true;
        TreeMap<Integer, Float> sorted = new TreeMap<>();
        for (int k = from; k < to; k++) {
          if (sorted.put(indices[k], values[k]) != null) {
            throw repeated(indices[k]);
          }
        }
        int at = from;
        for (var entry : sorted.entrySet()) {
          indices[at] = entry.getKey();
          values[at++] = entry.getValue();
        }
        return;
      }
      if (indices[i] == indices[i - 1]) {
        throw repeated(indices[i]);
      }
    }
  }

  private UsageException repeated(int feature) {
    return problem("an index once", (feature + 1) + " twice", "remove one of the two");
  }

  private UsageException problem(String expected, String found, String remedy) {
    return new UsageException(
        "%s: line %d: expected %s, found '%s'; %s",
        file, line, expected, Printable.shown(found), remedy);
  }

  /**
   * All examples.
   *
   * @param path for messages
   * @param asNumbers whether labels are numbers to predict in any case
   * @throws UsageException if there is no example, or no feature
   */
  SparseExamples examples(Path path, boolean asNumbers) {
    if (examples == 0 || features == 0) {
      throw new UsageException(
          "%s: expected a line LABEL INDEX:VALUE ... per example, found no %s; write some",
          path, examples == 0 ? "example" : "feature");
    }
    float[] numbers = Arrays.copyOf(targets, examples);
    int[] labels = new int[examples];
    TreeMap<Float, Integer> found = new TreeMap<>();
    boolean whole = !asNumbers;
    for (float number : numbers) {
      whole &= number == Math.rint(number) && found.size() <= DataLimits.CLASSES;
      if (!whole) {
        break;
      }
      found.put(number + 0f, 0);
    }
    if (whole && found.size() <= DataLimits.CLASSES) {
      List<String> names = new ArrayList<>();
      for (var each : found.entrySet()) {
        each.setValue(names.size());
        names.add(Long.toString(each.getKey().longValue()));
      }
      classes = List.copyOf(names);
    }
    for (int i = 0; i < examples && !classes.isEmpty(); i++) {
      labels[i] = found.get(numbers[i] + 0f);
    }
    Targets targets = classes.isEmpty() ? Targets.NUMBERS : Targets.CLASS;
    return new SparseExamples(
        Arrays.copyOf(starts, examples + 1),
        Arrays.copyOf(indices, entries),
        Arrays.copyOf(values, entries),
        new Labels(targets, labels, numbers));
  }
}
