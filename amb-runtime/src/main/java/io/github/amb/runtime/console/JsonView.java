package io.github.amb.runtime.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Prints lines of JSON for programs: one per stage, one per second of training, and one at the end.
 */
final class JsonView extends SummaryView {
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

  private long next = Long.MIN_VALUE;
  private boolean pending;

  /** The line of a stage. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record StageLine(String event, String stage, Integer done, Integer of) {}

  /** The line of the current progress. */
  private record ProgressLine(String event, @JsonUnwrapped Progress progress) {}

  /** The last line. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record SummaryLine(
      String event, String runDirectory, String next, @JsonUnwrapped Progress progress) {}

  /** The last line of a run that failed. */
  private record FailureLine(String event, int exitCode, String cause) {}

  JsonView(PrintStream out, LongSupplier nanos) {
    super(out, nanos);
  }

  @Override
  public synchronized void stage(String what, int done, int of) {
    boolean counted = of > 0;
    print(new StageLine("stage", what, counted ? done : null, counted ? of : null));
  }

  @Override
  public synchronized void progress(Progress now) {
    keep(now);
    long time = nanos.getAsLong();
    pending = next != Long.MIN_VALUE && time - next < 0;
    if (!pending) {
      next = time + INTERVAL;
      print(new ProgressLine("progress", now));
    }
  }

  @Override
  public synchronized void end() {
    if (pending) {
      pending = false;
      print(new ProgressLine("progress", last));
    }
  }

  @Override
  public synchronized void summary(Path run) {
    print(new SummaryLine("summary", run.toString(), RunSummary.next(run), last));
  }

  @Override
  public synchronized void failure(int exitCode, String cause) {
    print(new FailureLine("failure", exitCode, cause));
  }

  private void print(Object line) {
    out.println(Progress.json(line));
    out.flush();
  }
}
