package io.github.amb.runtime.console;

import static io.github.amb.core.option.Decimal.format;

import java.nio.file.Path;
import java.util.List;

/** The result of a run in five lines, of which the last is its directory alone. */
final class RunSummary {
  private static final String NONE = "–";

  private RunSummary() {}

  /**
   * The lines.
   *
   * @param last progress at the end of the run; null if it made no step
   * @param startUp from the start of the command to the end of its first step, in nanoseconds
   * @param run the run's directory
   */
  static List<String> lines(Progress last, long startUp, Path run) {
    return List.of(
        quality(last), speed(last, startUp), workers(last), "next: " + next(run), run.toString());
  }

  /** The command to type next. */
  static String next(Path run) {
    return "amb summarize " + run;
  }

  private static String quality(Progress last) {
    Progress.Score test = last == null ? null : last.test();
    String what = test == null || !isLoss(test) ? "accuracy" : "test loss";
    return last == null
        ? "final accuracy " + NONE
        : "final %s %s, best %s".formatted(what, score(test), score(last.best()));
  }

  private static boolean isLoss(Progress.Score score) {
    return score.accuracy() == null && score.loss() != null;
  }

  private static String score(Progress.Score score) {
    if (score == null || score.accuracy() == null && score.loss() == null) {
      return NONE;
    }
    String further = score.further("; ");
    return isLoss(score)
        ? format("%.4g%s at step %d", score.loss(), bracketed(further), score.step())
        : format("%.4f%s at step %d", score.accuracy(), loss(score, further), score.step());
  }

  private static String loss(Progress.Score score, String further) {
    return bracketed(
        score.loss() == null ? further : format("; loss %.4g", score.loss()) + further);
  }

  private static String bracketed(String list) {
    return list.isEmpty() ? "" : " (" + list.substring("; ".length()) + ")";
  }

  private static String speed(Progress last, long startUp) {
    if (last == null) {
      return "no step was made";
    }
    String rate =
        last.examplesPerSecond() == null ? NONE : StatusLine.rate(last.examplesPerSecond());
    return format(
        "%.4g s%s for %d step%s, %s examples/s; first step after %.3g s",
        last.time(),
        last.virtual() ? " of virtual time" : "",
        last.step(),
        last.step() == 1 ? "" : "s",
        rate,
        startUp / 1e9);
  }

  private static String workers(Progress last) {
    if (last == null || last.workers() == null) {
      return "no workers: trained in this process";
    }
    Progress.Workers workers = last.workers();
    return format(
        "%d of %d workers, %s",
        workers.present(),
        workers.started(),
        workers.lost() == 0 ? "none lost" : workers.lost() + " lost");
  }
}
