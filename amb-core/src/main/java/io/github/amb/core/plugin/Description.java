package io.github.amb.core.plugin;

import java.util.List;

/**
 * The texts that explain an entry, for help, lists and reference pages.
 *
 * @param name what the user types
 * @param summary one line: what it does
 * @param use one sentence: when to use it; empty if the summary says so
 * @param formula what it computes; empty for none
 * @param source paper or origin with its year; empty for none
 * @param aliases other names that a user may type
 */
public record Description(
    String name, String summary, String use, String formula, String source, List<String> aliases) {

  /** A name and one line on what it does. */
  public static Description of(String name, String summary) {
    return new Description(name, summary, "", "", "", List.of());
  }

  /** With one sentence on when to use it. */
  public Description use(String sentence) {
    return new Description(name, summary, sentence, formula, source, aliases);
  }

  /** With what it computes. */
  public Description formula(String text) {
    return new Description(name, summary, use, text, source, aliases);
  }

  /** With the paper or origin, and its year. */
  public Description source(String text) {
    return new Description(name, summary, use, formula, text, aliases);
  }

  /** With other names that a user may type. */
  public Description aliases(String... names) {
    return new Description(name, summary, use, formula, source, List.of(names));
  }
}
