package io.github.amb.runtime.config;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A map of a YAML file whose keys are known. What is wrong with it is collected. */
public final class YamlSection {
  private final PlacedValue node;
  private final String name;
  private final List<String> problems;
  private final Set<String> known = new TreeSet<>();

  /**
   * @param name what the map is, for messages; empty for the whole file
   * @param problems receives a line for each thing that is wrong
   */
  public YamlSection(PlacedValue node, String name, List<String> problems) {
    this.node = node;
    this.name = name;
    this.problems = problems;
    if (node.fields() == null) {
      problem(node, "expected 'key: value' lines, found " + node.describe());
    }
  }

  private void problem(PlacedValue at, String what) {
    problems.add(at.place() + ": " + (name.isEmpty() ? "" : name + ": ") + what);
  }

  /** Reports what is wrong with the value of a key, or that it is missing. */
  public void problem(String key, String what) {
    PlacedValue value = get(key);
    problem(value == null ? node : value, key + ": " + what);
  }

  /** The value of a key; null if there is none. */
  public PlacedValue get(String key) {
    known.add(key);
    return node.fields() == null ? null : node.fields().get(key);
  }

  /** The map of a key; one without fields if there is none. */
  public YamlSection section(String key) {
    PlacedValue value = get(key);
    PlacedValue none = new PlacedValue(node.place(), null, null, Map.of());
    return new YamlSection(value == null ? none : value, key, problems);
  }

  /** A text; {@code otherwise} if there is none. */
  public String text(String key, String otherwise) {
    PlacedValue value = get(key);
    if (value == null) {
      return otherwise;
    }
    if (value.text() == null || value.text().isBlank()) {
      problem(value, key + ": expected a text, found " + value.describe());
      return otherwise;
    }
    return value.text().strip();
  }

  /** A text that must be there, or empty with a problem. */
  public String required(String key) {
    if (get(key) == null && node.fields() != null) {
      problem(node, "expected '" + key + ": ...', found none");
    }
    return text(key, "");
  }

  /**
   * One of some words.
   *
   * @param otherwise if there is none; null if it must be there
   * @param words none if they are not known, because of another problem
   * @return it, or any of them if it is wrong; empty if none is known
   */
  public String word(String key, String otherwise, List<String> words) {
    String word = otherwise == null ? required(key) : text(key, otherwise);
    if (words.isEmpty()) {
      return "";
    }
    if (!word.isEmpty() && !words.contains(word)) {
      problem(get(key), "%s: unknown '%s'%s".formatted(key, word, Suggestion.forName(word, words)));
    }
    return words.contains(word) ? word : words.get(0);
  }

  /**
   * One of some values, by the words that they are written as.
   *
   * @param otherwise if there is none; null if it must be there
   * @return it, or any of them if it is wrong
   */
  public <T> T one(String key, T otherwise, List<T> values) {
    List<String> words = values.stream().map(Object::toString).toList();
    String word = word(key, otherwise == null ? null : otherwise.toString(), words);
    return values.get(words.indexOf(word));
  }

  /** A number from {@code least}; {@code otherwise} if there is none. */
  public double number(String key, double otherwise, double least) {
    String text = text(key, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    double value = Decimal.any(text, Double.NaN);
    if (Double.isFinite(value) && value >= least) {
      return value;
    }
    String from = least == Double.NEGATIVE_INFINITY ? "a number" : "a number from " + least;
    problem(get(key), "%s: expected %s, found '%s'".formatted(key, from, text));
    return otherwise;
  }

  /** A whole number from {@code least}; {@code otherwise} if there is none. */
  public long whole(String key, long otherwise, long least) {
    double value = number(key, otherwise, least);
    if (value != Math.rint(value)) {
      problem(get(key), "%s: expected a whole number, found '%s'".formatted(key, get(key).text()));
    }
    return (long) value;
  }

  /** The values of a map of that name, in order; empty if there is none. */
  public Map<String, PlacedValue> fields(String key) {
    PlacedValue value = get(key);
    if (value == null) {
      return new LinkedHashMap<>();
    }
    if (value.fields() == null) {
      problem(value, key + ": expected 'name: ...' lines, found " + value.describe());
      return new LinkedHashMap<>();
    }
    return value.fields();
  }

  /** The items of a list of that name; empty if there is none. */
  public List<PlacedValue> items(String key) {
    PlacedValue value = get(key);
    if (value == null) {
      return List.of();
    }
    if (value.items() == null) {
      problem(value, key + ": expected a list, found " + value.describe());
      return List.of();
    }
    return value.items();
  }

  /** The texts of a list of that name; empty if there is none. */
  public List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (PlacedValue item : items(key)) {
      if (item.text() == null) {
        problem(item, key + ": expected a text, found " + item.describe());
      } else {
        texts.add(item.text().strip());
      }
    }
    return texts;
  }

  /** Reports keys that nobody has asked for. Call it last. */
  public void end() {
    node.each(
        (key, value) -> {
          if (!known.contains(key)) {
            problem(value, "unknown key '%s'%s".formatted(key, Suggestion.forName(key, known)));
          }
        });
  }
}
