package io.github.amb.models.data;

import io.github.amb.core.file.Printable;

/** Shortens text of a foreign file for messages. */
final class Shown {
  private static final int MAX = 60;

  private Shown() {}

  static String text(String text) {
    String shown = text.length() > MAX ? text.substring(0, MAX) + "…" : text;
    return Printable.printable(shown);
  }
}
