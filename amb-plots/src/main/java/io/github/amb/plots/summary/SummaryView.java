package io.github.amb.plots.summary;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.util.List;

/**
 * How a table is shown.
 *
 * @param width columns of the terminal; 0 for no limit
 * @param columns keys of the columns to show, in order; empty for all
 * @param sort key of the column that rows are ordered by, smallest first; empty for the order given
 * @param reverse whether the order is reversed
 * @param each whether each run has a row, also if runs differ only in seed
 */
public record SummaryView(
    int width, List<String> columns, String sort, boolean reverse, boolean each) {
  /**
   * Checks the keys.
   *
   * @throws UsageException naming a key that is none of {@link SummaryColumns#keys}
   */
  public SummaryView {
    List<String> keys = SummaryColumns.keys();
    columns.forEach(key -> Suggestion.expectKnown("--columns: unknown column", key, keys));
    if (!sort.isEmpty()) {
      Suggestion.expectKnown("--sort: unknown column", sort, keys);
    }
  }
}
