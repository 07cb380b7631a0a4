package io.github.amb.runtime.console;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Prints lines to a file or a pipe: at first one per second, later one each tenth of the elapsed
 * time, at last one per minute. A stage without parts gets its line when the next one begins, and
 * only if it took a second: the usual short ones are no news, and a rejected configuration leaves
 * standard output empty.
 */
final class PlainView extends SummaryView {
  private static final long SHORTEST = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);
  private static final int SHARE = 10;

  private long next = start;
  private String stage = "";
  private String pending;
  private String held;
  private long heldSince;

  PlainView(PrintStream out, LongSupplier nanos) {
    super(out, nanos);
  }

  @Override
  public synchronized void stage(String what, int done, int of) {
    boolean other = !what.equals(stage);
    stage = what;
    showHeld();
    if (of == 0) {
      held = StatusLine.stage(what, done, of);
      heldSince = nanos.getAsLong();
    } else {
      show(StatusLine.stage(what, done, of), other);
    }
  }

  private void showHeld() {
    if (held != null && nanos.getAsLong() - heldSince >= SHORTEST) {
      show(held, true);
    }
    held = null;
  }

  @Override
  public synchronized void progress(Progress now) {
    String training = now.finalTest() == null ? "training" : "final test";
    boolean other = !training.equals(stage);
    stage = training;
    showHeld();
    keep(now);
    show(StatusLine.of(now).whole(), other);
  }

  /** The first line of a stage is always shown. */
  private void show(String line, boolean always) {
    long now = nanos.getAsLong();
    pending = line;
    if (always || now - next >= 0) {
      out.println(line);
      pending = null;
      next = now + Math.max(SHORTEST, Math.min(LONGEST, (now - start) / SHARE));
    }
  }

  @Override
  public synchronized void end() {
    if (pending != null) {
      out.println(pending);
      pending = null;
    }
  }
}
