package io.github.amb.models.data.example;

import java.util.Locale;

/** What a network predicts for an example. */
public enum Targets {
  /** One class, or one at each position. */
  CLASS,

  /** Any of several labels: 1 or 0 for each. */
  LABELS,

  /** Numbers. */
  NUMBERS;

  /** A word for it, in lower case. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
