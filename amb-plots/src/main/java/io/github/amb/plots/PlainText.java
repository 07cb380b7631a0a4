package io.github.amb.plots;

import io.github.amb.core.file.Printable;
import java.util.regex.Pattern;

/** Makes text from foreign files safe for figures, pages and terminals. */
public final class PlainText {
  /** Two code points that are not characters in XML 1.0, and not controls. */
  private static final Pattern NO_CHARACTER = Pattern.compile("[\\x{fffe}\\x{ffff}]");

  private PlainText() {}

  /**
   * Replaces by visible escapes what XML 1.0 does not allow and what a terminal obeys. Line feeds
   * and tabs stay.
   */
  public static String of(String text) {
    return NO_CHARACTER
        .matcher(Printable.printable(text))
        .replaceAll(found -> "\\\\u" + Integer.toHexString(found.group().charAt(0)));
  }

  /**
   * Replaces by visible escapes what XML 1.0 does not allow and what a terminal obeys, including
   * line feeds and tabs.
   */
  public static String inOneLine(String text) {
    return of(text).replace("\n", "\\n").replace("\t", "\\t");
  }

  /**
   * Shortens a text to {@code most} characters, the last of which is then an ellipsis. No character
   * is split.
   */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}
