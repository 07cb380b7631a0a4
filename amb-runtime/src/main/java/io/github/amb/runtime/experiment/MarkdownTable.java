package io.github.amb.runtime.experiment;

import java.util.List;
import java.util.stream.Collectors;

/** A table of a Markdown page. */
final class MarkdownTable {
  private final StringBuilder text = new StringBuilder();

  MarkdownTable(List<String> headings) {
    row(headings);
    row(headings.stream().map(heading -> "---").toList());
  }

  /** Adds a row; returns this table. */
  MarkdownTable row(List<String> cells) {
    text.append(
        cells.stream()
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | ", "| ", " |\n")));
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
