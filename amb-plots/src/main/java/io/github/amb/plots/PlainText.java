package io.github.amb.plots;

import io.github.amb.core.record.Printable;
import java.util.regex.Pattern;

/** Text from files that others wrote, for figures, pages and terminals. */
public final class PlainText {
  /** The two that XML 1.0 does not have and that are no controls. */
  private static final Pattern NO_CHARACTER = Pattern.compile("[\\x{fffe}\\x{ffff}]");

  private PlainText() {}

  /**
   * The text with visible escapes for what XML 1.0 has no characters for, and for what a terminal
   * obeys; line feeds and tabs stay.
   */
  public static String of(String text) {
    return NO_CHARACTER
        .matcher(Printable.printable(text))
        .replaceAll(found -> "\\\\u" + Integer.toHexString(found.group().charAt(0)));
  }

  /** The same in one line. */
  public static String inOneLine(String text) {
    return of(text).replace("\n", "\\n").replace("\t", "\\t");
  }

  /**
   * No more than some characters of a text, with an ellipsis for the others. No character is cut in
   * two.
   */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}
