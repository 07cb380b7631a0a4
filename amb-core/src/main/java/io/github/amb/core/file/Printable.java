package io.github.amb.core.file;

import java.util.Locale;

/** Makes text from a foreign file safe for terminals and messages. */
public final class Printable {
  private static final int MAX_SHOWN = 60;

  private Printable() {}

  /**
   * The beginning of a text as a value in a message, in at most 60 characters and an ellipsis, on
   * one line, as {@link #printable}.
   */
  public static String shown(String text) {
    String line = text.replace('\n', ' ');
    return printable(line.length() > MAX_SHOWN ? line.substring(0, MAX_SHOWN) + "…" : line);
  }

  /**
   * Replaces every control character except line feed and tab by a visible escape, for instance
   * {@code \x1b} or {@code \u202e}. Terminals obey C0 and C1 controls, and reorder text at the
   * bidirectional controls of Unicode. Lone surrogates are escaped, too.
   */
  public static String printable(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\n' || c == '\t' || !controls(c)) {
                safe.appendCodePoint(c);
              } else {
                safe.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", c));
              }
            });
    return safe.toString();
  }

  private static boolean controls(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
