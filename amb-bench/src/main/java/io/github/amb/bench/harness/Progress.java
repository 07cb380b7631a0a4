package io.github.amb.bench.harness;

import java.io.PrintStream;

/** Tells a waiting person, at most every two seconds, what is being measured. */
public final class Progress {
  private static final long INTERVAL = 2_000_000_000L;

  private final PrintStream out;
  private long last = System.nanoTime();

  /** Prints to {@code out}, not before two seconds have passed. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Says what is done now, unless something was said a moment ago. */
  public synchronized void say(String what) {
    long now = System.nanoTime();
    if (now - last >= INTERVAL) {
      last = now;
      out.println("amb bench: " + what);
    }
  }

  /** Says how much of {@code what} is done. */
  public void say(String what, int done, int total) {
    say("%s: %d of %d".formatted(what, done, total));
  }
}
