package io.github.amb.runtime.console;

import static io.github.amb.runtime.console.StatusLine.format;

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
    return last == null
        ? "final accuracy " + NONE
        : "final accuracy %s, best %s".formatted(score(last.test()), score(last.best()));
  }

  private static String score(Progress.Score score) {
    return score == null || score.accuracy() == null
        ? NONE
        : format("%.4f%s at step %d", score.accuracy(), loss(score.loss()), score.step());
  }

  private static String loss(Double loss) {
    return loss == null ? "" : format(" (loss %.4g)", loss);
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
