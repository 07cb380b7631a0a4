package io.github.amb.runtime.launch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines on standard error by which a rank tells the launcher how it ends.
 *
 * @param rank who reports
 * @param finished whether the rank has done all that it had to do
 * @param cause why it fails; empty if finished
 */
public record RankReport(int rank, boolean finished, String cause) {
  private static final String FINISHED = "finished";
  private static final Pattern LINE = Pattern.compile("amb: rank (\\d{1,6}): (.*)");

  /** Reports that this rank fails; call it before anything else that its failure leads to. */
  public static void failed(int rank, String cause) {
    print(rank, cause.lines().findFirst().orElse("unknown cause"));
  }

  /**
   * Reports that this rank is done, if our launcher started it; a worker that exits without is
   * taken for crashed.
   */
  public static void finished(int rank) {
    if (ParentWatch.isLaunched()) {
      print(rank, FINISHED);
    }
  }

  private static void print(int rank, String text) {
    System.err.println("amb: rank " + rank + ": " + text);
  }

  /** The report in a line that rank {@code rank} wrote, if it is one. */
  static Optional<RankReport> parse(int rank, String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) != rank) {
      return Optional.empty();
    }
    String text = matcher.group(2);
    return Optional.of(
        text.equals(FINISHED) ? new RankReport(rank, true, "") : new RankReport(rank, false, text));
  }
}
