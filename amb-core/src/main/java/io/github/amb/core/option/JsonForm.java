package io.github.amb.core.option;

import java.util.List;

/**
 * The form of an option's value in a configuration file, for the JSON Schema.
 *
 * @param types JSON types that a value may have
 * @param choices the texts that are allowed; empty if others are
 * @param names texts that an editor suggests among others
 */
public record JsonForm(List<String> types, List<String> choices, List<String> names) {
  public static final JsonForm INTEGER = new JsonForm("integer");
  public static final JsonForm NUMBER = new JsonForm("number");
  public static final JsonForm TEXT = new JsonForm("string");

  /** A number, or a word such as {@code inf} or {@code auto}. */
  public static final JsonForm NUMBER_OR_TEXT = new JsonForm("number", "string");

  /** A list, or its items joined by commas. */
  public static final JsonForm NUMBERS = new JsonForm("number", "string", "array");

  private JsonForm(String... types) {
    this(List.of(types), List.of(), List.of());
  }

  /** One of some texts. */
  public static JsonForm choice(List<String> choices) {
    return new JsonForm(List.of(), choices, List.of());
  }

  /** A text that is or begins with one of some names, or another text. */
  public static JsonForm named(List<String> names) {
    return new JsonForm(TEXT.types(), List.of(), names);
  }
}
