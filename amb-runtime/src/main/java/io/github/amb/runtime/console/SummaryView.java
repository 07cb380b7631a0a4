package io.github.amb.runtime.console;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** A view that keeps the newest progress, and ends with a summary. */
abstract class SummaryView implements RunView {
  final PrintStream out;
  final LongSupplier nanos;
  final long start;

  /** The newest progress; null before the first. */
  Progress last;

  private long startUp;

  /**
   * @param out receives what is shown
   * @param nanos a clock
   */
  SummaryView(PrintStream out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    start = nanos.getAsLong();
  }

  /** Keeps progress, of which the first ends the start. */
  final void keep(Progress now) {
    startUp = last == null ? nanos.getAsLong() - start : startUp;
    last = now;
  }

  @Override
  public synchronized void summary(Path run) {
    RunSummary.lines(last, startUp, run).forEach(out::println);
  }
}
