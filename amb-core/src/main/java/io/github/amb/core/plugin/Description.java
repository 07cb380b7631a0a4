package io.github.amb.core.plugin;

import java.util.List;

/**
 * The texts that explain an entry in help, lists and reference pages.
 *
 * @param name what the user types: letters, digits, {@code .}, {@code _} and {@code -}
 * @param summary one line on what it does
 * @param use one sentence on when to use it; empty if the summary says so
 * @param formula the formula that it computes; empty for none
 * @param source paper or origin with its year; empty for none
 * @param aliases other names that a user may type, of the same characters
 */
public record Description(
    String name, String summary, String use, String formula, String source, List<String> aliases) {

  /** A name and one line on what it does. */
  public static Description of(String name, String summary) {
    return new Description(name, summary, "", "", "", List.of());
  }

  /** A copy with another name. */
  public Description named(String other) {
    return new Description(other, summary, use, formula, source, aliases);
  }

  /** A copy with one sentence on when to use the entry. */
  public Description use(String sentence) {
    return new Description(name, summary, sentence, formula, source, aliases);
  }

  /** A copy with the formula that the entry computes. */
  public Description formula(String text) {
    return new Description(name, summary, use, text, source, aliases);
  }

  /** A copy with the paper or origin, and its year. */
  public Description source(String text) {
    return new Description(name, summary, use, formula, text, aliases);
  }

  /** A copy with other names that a user may type. */
  public Description aliases(String... names) {
    return new Description(name, summary, use, formula, source, List.of(names));
  }
}
