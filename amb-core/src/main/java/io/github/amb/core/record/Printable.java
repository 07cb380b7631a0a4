package io.github.amb.core.record;

import java.util.Locale;

/** Text from a foreign file, made safe for a terminal and for a message of one line or more. */
public final class Printable {

  private Printable() {}

  /**
   * Returns the text with every control character but line feed and tab replaced by a visible
   * escape, for instance {@code \x1b} or {@code \u202e}. A terminal obeys C0 and C1 controls, and
   * it reorders text at the bidirectional controls of Unicode. A lone surrogate is escaped, too.
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
