package io.github.amb.runtime.doctor;

import io.github.amb.runtime.Amb;

/**
 * What was found about one thing.
 *
 * @param level how bad it is
 * @param subject what was looked at
 * @param found what was found
 * @param remedy what to do; empty if nothing, or if what was found says it
 */
record Finding(Level level, String subject, String found, String remedy) {
  /** How bad a finding is. */
  enum Level {
    OK("ok"),
    WARNING("warning"),
    FAILED("failed");

    final String text;

    Level(String text) {
      this.text = text;
    }
  }

  static Finding ok(String subject, String found) {
    return new Finding(Level.OK, subject, found, "");
  }

  static Finding warning(String subject, String found, String remedy) {
    return new Finding(Level.WARNING, subject, found, remedy);
  }

  static Finding failed(String subject, String found, String remedy) {
    return new Finding(Level.FAILED, subject, found, remedy);
  }

  /** What the innermost cause of a failure says, in one line. */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return Amb.describe(innermost);
  }

  /** One line. */
  @Override
  public String toString() {
    String line = "%-8s %-12s %s".formatted(level.text, subject, found.replace('\n', ' '));
    return remedy.isEmpty() ? line : line + "; " + remedy;
  }
}
