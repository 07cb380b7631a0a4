package io.github.amb.plots.summary;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.PlainText;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The cost of a change of the run's workers.
 *
 * @param change the generation that began
 * @param seconds time from the last update before the change to the first one after it, minus the
 *     median time of an update
 */
public record LostTime(MembershipRecord change, double seconds) {
  /** The changes of a run, in order; those without a later update are skipped. */
  static List<LostTime> of(Run run) {
    double usual = medianOfUpdates(run);
    List<LostTime> lost = new ArrayList<>();
    List<MembershipRecord> open = new ArrayList<>();
    for (LogRecord record : run.master()) {
      if (record instanceof MembershipRecord change) {
        open.add(change);
      } else if (record instanceof StepRecord step && !open.isEmpty()) {
        open.forEach(
            change ->
                lost.add(new LostTime(change, Math.max(0, step.time() - change.time() - usual))));
        open.clear();
      }
    }
    return lost;
  }

  private static double medianOfUpdates(Run run) {
    List<StepRecord> steps = run.steps();
    double[] times = new double[Math.max(0, steps.size() - 1)];
    for (int i = 0; i < times.length; i++) {
      long updates = run.isThinned() ? steps.get(i + 1).step() - steps.get(i).step() : 1;
      times[i] = (steps.get(i + 1).time() - steps.get(i).time()) / updates;
    }
    Arrays.sort(times);
    return times.length == 0 ? 0 : times[times.length / 2];
  }

  static List<String> notes(Summary summary) {
    List<String> notes = new ArrayList<>();
    for (SummaryRow row : summary.rows()) {
      row.lost().forEach(lost -> notes.add(row.run() + ": " + line(lost)));
    }
    return notes;
  }

  private static String line(LostTime lost) {
    String workers =
        lost.change().workers().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return format(
        "%.2f s and %d examples lost after step %d, continuing with workers %s: %s.",
        lost.seconds(),
        lost.change().discarded(),
        lost.change().step(),
        workers,
        PlainText.inOneLine(lost.change().cause()));
  }
}
