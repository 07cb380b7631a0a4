package io.github.amb.runtime.console;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Shows a run's lines to a person: on a terminal the newest one replaces the one before, elsewhere
 * about one line a second is printed.
 */
public final class Terminal implements AutoCloseable {
  private static final long PLAIN_INTERVAL = 1_000_000_000L;
  private static final long TERMINAL_INTERVAL = 100_000_000L;

  private final PrintStream out;
  private final boolean interactive;
  private long nextTime = Long.MIN_VALUE;
  private String pending;

  public Terminal(PrintStream out) {
    this(out, System.console() != null && System.getenv("TERM") != null);
  }

  Terminal(PrintStream out, boolean interactive) {
    this.out = out;
    this.interactive = interactive;
  }

  /** Takes one line; shows it now, or at {@link #finish} if it stays the last one. */
  public synchronized void line(String line) {
    if (!line.startsWith("step = ")) {
      show(line, true);
      return;
    }
    pending = line;
    long now = System.nanoTime();
    if (nextTime == Long.MIN_VALUE || now - nextTime >= 0) {
      nextTime = now + (interactive ? TERMINAL_INTERVAL : PLAIN_INTERVAL);
      show(pending, false);
      pending = null;
    }
  }

  /** Shows the last line if it has not been shown, and starts a new one. */
  public synchronized void finish() {
    if (pending != null) {
      show(pending, true);
    } else if (interactive) {
      out.println();
    }
    pending = null;
  }

  private void show(String line, boolean keep) {
    if (!interactive) {
      out.println(line);
      return;
    }
    out.print("\r\033[2K" + line + (keep ? "\n" : ""));
    out.flush();
  }

  /** A stream whose lines are taken by {@link #line}. */
  public PrintStream stream() {
    return new PrintStream(new LineStream(), true, StandardCharsets.UTF_8);
  }

  /** Cuts a stream of bytes into lines. */
  private final class LineStream extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        line(bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
      } else {
        bytes.write(b);
      }
    }
  }

  @Override
  public void close() {
    out.flush();
  }
}
