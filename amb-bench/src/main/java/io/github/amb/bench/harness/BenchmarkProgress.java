package io.github.amb.bench.harness;

import io.github.amb.core.command.TerminalDevice;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows, after two seconds, what is being measured, how much is done, and the time left. On a
 * terminal it is a bar, otherwise a line every five seconds.
 */
public final class BenchmarkProgress {
  private static final long SILENCE = 2_000_000_000L;
  private static final long INTERVAL = 5_000_000_000L;
  private static final long REDRAW = 200_000_000L;
  private static final int WIDTH = 24;
  private static final int LINE = 78;

  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private long next = start + SILENCE;
  private boolean drawn;

  /** Prints to {@code out}: a bar if standard output is a terminal. */
  public BenchmarkProgress(PrintStream out) {
    this(out, TerminalDevice.find(System.getenv()).isPresent());
  }

  BenchmarkProgress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows the current action, unless something was shown a moment ago. */
  public synchronized void say(String what) {
    long now = System.nanoTime();
    if (now - next >= 0) {
      show("amb bench: " + what, now);
    }
  }

  /** Shows the current action, the share of the benchmark that is done, and the time left. */
  public synchronized void say(String what, int done, int total) {
    long now = System.nanoTime();
    if (now - next >= 0) {
      show("amb bench: " + bar(done, total) + " " + what + left(done, total, now), now);
    }
  }

  private void show(String line, long now) {
    next = now + (terminal ? REDRAW : INTERVAL);
    if (terminal) {
      String cut = line.length() > LINE ? line.substring(0, LINE) : line;
      out.print("\r" + cut + " ".repeat(LINE - cut.length()));
      out.flush();
      drawn = true;
    } else {
      out.println(line);
    }
  }

  static String bar(int done, int total) {
    int full = (int) ((long) WIDTH * done / Math.max(1, total));
    int percent = (int) (100L * done / Math.max(1, total));
    return "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] %3s %%".formatted(percent);
  }

  /** The time left, if all parts take equally long. */
  private String left(int done, int total, long now) {
    return done == 0
        ? ""
        : String.format(Locale.ROOT, ", %.0f s left", (now - start) / 1e9 * (total - done) / done);
  }

  /** Removes the bar. */
  public synchronized void finish() {
    if (drawn) {
      out.print("\r" + " ".repeat(LINE) + "\r");
      out.flush();
    }
  }
}
