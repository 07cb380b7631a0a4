package io.github.amb.plots.summary;

import io.github.amb.plots.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One line per change of a run's workers, with its cost. */
final class LossNotes {
  private LossNotes() {}

  static List<String> of(Summary summary) {
    List<String> notes = new ArrayList<>();
    for (SummaryRow row : summary.rows()) {
      for (LostTime lost : row.lost()) {
        notes.add(row.run() + ": " + line(lost));
      }
    }
    return notes;
  }

  private static String line(LostTime lost) {
    String workers =
        lost.change().workers().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%.2f s and %d examples lost after step %d, continuing with workers %s: %s.",
        lost.seconds(),
        lost.change().discarded(),
        lost.change().step(),
        workers,
        PlainText.inOneLine(lost.change().cause()));
  }
}
