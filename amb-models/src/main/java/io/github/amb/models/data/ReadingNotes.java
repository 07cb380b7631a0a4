package io.github.amb.models.data;

import io.github.amb.core.file.Printable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a reader leaves out, converts or guesses, counted, with an example of each. */
final class ReadingNotes {
  private final Path data;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<String, String> examples = new LinkedHashMap<>();

  /**
   * @param data what is read; the notes have no part of its path
   */
  ReadingNotes(Path data) {
    this.data = data;
  }

  /** Notes a fact about the whole data set. */
  void add(String fact, String detail) {
    examples.putIfAbsent(fact, detail);
  }

  /** Counts one case of a kind. The first one is the example. */
  void count(String kind, Path example) {
    counts.merge(kind, 1, Integer::sum);
    examples.putIfAbsent(kind, data.relativize(example).toString());
  }

  /** All notes in one line; empty if there are none. */
  @Override
  public String toString() {
    String line = examples.keySet().stream().map(this::text).collect(Collectors.joining("; "));
    return Printable.printable(line.replace('\n', ' '));
  }

  private String text(String kind) {
    Integer count = counts.get(kind);
    String example = examples.get(kind);
    return "%s: %s".formatted(kind, count == null ? example : count + ", as " + example);
  }
}
