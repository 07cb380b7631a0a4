package io.github.amb.models.data;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The labels in a column of a text file. The first one decides whether they are whole numbers from
 * 0, or −1 and 1 alone, or texts. Texts are numbered in the order of their characters.
 */
final class CsvLabels {
  /** Whole numbers up to here are those of a float, too. */
  private static final double LARGEST = 1 << 24;

  private final Path file;
  private final int column;
  private final List<Long> labels = new ArrayList<>();
  private final TreeMap<String, Long> texts = new TreeMap<>();
  private boolean signed;
  private boolean ones = true;

  /**
   * @param column its number, from 1
   */
  CsvLabels(Path file, int column) {
    this.file = file;
    this.column = column;
  }

  /**
   * Adds the label of the next example.
   *
   * @param number whether the text has the form of a number
   * @param line number of the line, from 1
   * @throws UsageException if the label is not of the kind of the first one
   */
  void add(String text, boolean number, int line) {
    if (labels.isEmpty() ? number : texts.isEmpty()) {
      labels.add(whole(text, line));
    } else if (number || text.isEmpty()) {
      throw problem(
          line, "a text as in the lines before (a line of column names has no number)", text);
    } else {
      labels.add(texts.computeIfAbsent(text, other -> (long) texts.size()));
      if (texts.size() > DataLimits.CLASSES) {
        throw problem(line, "one of at most " + DataLimits.CLASSES + " labels", text);
      }
    }
  }

  private long whole(String text, int line) {
    double label = Decimal.any(text, Double.NaN);
    // NaN is not an integer, either.
    if (label != Math.rint(label) || label < -1 || label > LARGEST) {
      throw problem(
          line,
          "a label, a whole number from 0 or in every line a text (numbers to predict are FILE.csv:targets=COLUMN)",
          text);
    }
    signed |= label < 0;
    ones &= Math.abs(label) == 1;
    if (signed && !ones) {
      throw problem(line, "labels from 0, or -1 and 1 alone", text);
    }
    return (long) label;
  }

  private UsageException problem(int line, String expected, String found) {
    return new UsageException(
        "%s: line %d, column %d: expected %s, found '%s'",
        file, line, column, expected, Printable.shown(found));
  }

  /** The texts of the classes, in their order; none if labels are numbers from 0. */
  List<String> names() {
    return signed ? List.of("-1", "1") : List.copyOf(texts.keySet());
  }

  /** Whether the labels only count the rows, so that each example has a class of its own. */
  boolean areRowNumbers() {
    long first = labels.isEmpty() || !texts.isEmpty() ? -1 : labels.get(0);
    return labels.size() > 2
        && (first == 0 || first == 1)
        && IntStream.range(0, labels.size()).allMatch(i -> labels.get(i) == first + i);
  }

  /** The class of each example. */
  long[] classes() {
    long[] ranks = new long[texts.size()];
    long rank = 0;
    for (long appearance : texts.values()) {
      ranks[(int) appearance] = rank++;
    }
    if (signed) {
      return labels.stream().mapToLong(label -> (label + 1) / 2).toArray();
    }
    return labels.stream().mapToLong(l -> ranks.length == 0 ? l : ranks[l.intValue()]).toArray();
  }
}
