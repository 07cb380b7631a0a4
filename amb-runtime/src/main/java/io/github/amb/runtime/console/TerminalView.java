package io.github.amb.runtime.console;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Rewrites one line of a terminal up to ten times a second. The line is shorter than the terminal
 * is wide, as a wrapped line could not be rewritten. Messages appear above it.
 */
final class TerminalView extends SummaryView {
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String CLEAR = "\r\033[2K";

  private final IntSupplier columns;
  private final Style style;
  private PrintStream errors;
  private long next = Long.MIN_VALUE;
  private String shown = "";
  private boolean pending;

  /**
   * @param out the terminal
   * @param columns its width
   * @param nanos a clock
   */
  TerminalView(PrintStream out, IntSupplier columns, Style style, LongSupplier nanos) {
    super(out, nanos);
    this.columns = columns;
    this.style = style;
  }

  /** A view that whole lines on standard error do not disturb, until it is closed. */
  static TerminalView overStandardError(PrintStream out, IntSupplier columns, Style style) {
    TerminalView view = new TerminalView(out, columns, style, System::nanoTime);
    view.errors = System.err;
    System.setErr(view.above(System.err));
    return view;
  }

  /** A stream whose lines go to another one, above this view's line. */
  PrintStream above(PrintStream to) {
    return new PrintStream(new LinesAbove(to), true, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void stage(String what, int done, int of) {
    String text = StatusLine.stage(what, done, of);
    int width = Math.max(0, columns.getAsInt() - 1);
    rewrite(style.paint(text.substring(0, Math.min(text.length(), width)), Style.BOLD));
  }

  @Override
  public synchronized void progress(Progress now) {
    long time = nanos.getAsLong();
    keep(now);
    pending = next != Long.MIN_VALUE && time - next < 0;
    if (!pending) {
      next = time + INTERVAL;
      draw();
    }
  }

  private void draw() {
    rewrite(StatusLine.of(last).fitted(columns.getAsInt() - 1, style));
  }

  private void rewrite(String line) {
    shown = line;
    out.print(CLEAR + line);
    out.flush();
  }

  @Override
  public synchronized void end() {
    if (pending) {
      draw();
      pending = false;
    }
    if (!shown.isEmpty()) {
      out.println();
      shown = "";
    }
  }

  private synchronized void message(String line, PrintStream to) {
    if (shown.isEmpty()) {
      to.println(line);
      return;
    }
    out.print(CLEAR);
    out.flush();
    to.println(line);
    rewrite(shown);
  }

  @Override
  public void close() {
    end();
    if (errors != null) {
      System.setErr(errors);
    }
  }

  /** Cuts bytes into lines. */
  private final class LinesAbove extends OutputStream {
    private final PrintStream to;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    LinesAbove(PrintStream to) {
      this.to = to;
    }

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        message(bytes.toString(StandardCharsets.UTF_8), to);
        bytes.reset();
      } else {
        bytes.write(b);
      }
    }
  }
}
