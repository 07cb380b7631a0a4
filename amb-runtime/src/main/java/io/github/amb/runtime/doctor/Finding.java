package io.github.amb.runtime.doctor;

import io.github.amb.runtime.command.FailureText;
import java.util.Locale;

/**
 * The result of a check.
 *
 * @param level how serious it is
 * @param subject the checked thing
 * @param found what was found
 * @param remedy what to do; empty if nothing, or if {@code found} says it
 */
record Finding(Level level, String subject, String found, String remedy) {
  /** How serious a finding is. */
  enum Level {
    OK,
    WARNING,
    FAILED
  }

  static Finding ok(String subject, String found) {
    return new Finding(Level.OK, subject, found, "");
  }

  static Finding warning(String subject, String found, String remedy) {
    return new Finding(Level.WARNING, subject, found, remedy);
  }

  /** A warning, unless all is well. */
  static Finding check(boolean well, String subject, String found, String remedy) {
    return well ? ok(subject, found) : warning(subject, found, remedy);
  }

  static Finding failed(String subject, String found, String remedy) {
    return new Finding(Level.FAILED, subject, found, remedy);
  }

  /** The message of a failure's innermost cause, in one line. */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return FailureText.of(innermost);
  }

  /** The finding in one line. */
  @Override
  public String toString() {
    String weight = level.name().toLowerCase(Locale.ROOT);
    String line = "%-8s %-12s %s".formatted(weight, subject, found.replace('\n', ' '));
    return remedy.isEmpty() ? line : line + "; " + remedy;
  }
}
