package io.github.amb.plots.summary;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.Arrays;
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

  /** The summary as text, with a line feed at its end. */
  public String write(Summary summary) {
    return write(summary, SummaryView.WHOLE);
  }

  /** The same; a table as the view says. */
  public String write(Summary summary, SummaryView view) {
    return writer.apply(summary, view);
  }

  /**
   * Returns the format with a name.
   *
   * @throws UsageException if there is none
   */
  public static SummaryFormat named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--format: unknown format '"
                        + name
                        + "'"
                        + Suggestion.forName(
                            name, Arrays.stream(values()).map(Object::toString).toList())));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
