package io.github.amb.plots.summary;

import java.util.Locale;
import java.util.function.BiFunction;

/** The formats of a summary. */
public enum SummaryFormat {
  /** Aligned columns for a terminal, with explanations. */
  TABLE(SummaryTable::of),
  /** One object with the target, the baseline and an array of rows; null for what is not known. */
  JSON((summary, view) -> SummaryData.json(summary)),
  /** A header and one line per run; an empty field for what is not known. */
  CSV((summary, view) -> SummaryData.csv(summary));

  private final BiFunction<Summary, SummaryView, String> writer;

  SummaryFormat(BiFunction<Summary, SummaryView, String> writer) {
    this.writer = writer;
  }

  /** The summary as text, with a line feed at its end; a table as the view says. */
  public String write(Summary summary, SummaryView view) {
    return writer.apply(summary, view);
  }

  /**
   * Returns the format with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SummaryFormat named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
