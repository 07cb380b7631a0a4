package io.github.amb.bench.harness;

import java.io.PrintStream;

/** Tells a waiting person, what is being measured: after two seconds, then every five. */
public final class Progress {
  private static final long SILENCE = 2_000_000_000L;
  private static final long INTERVAL = 5_000_000_000L;

  private final PrintStream out;
  private long next = System.nanoTime() + SILENCE;

  /** Prints to {@code out}. */
  public Progress(PrintStream out) {
    this.out = out;
  }

  /** Says what is done now, unless something was said a moment ago. */
  public synchronized void say(String what) {
    long now = System.nanoTime();
    if (now - next >= 0) {
      next = now + INTERVAL;
      out.println("amb bench: " + what);
    }
  }

  /** Says how much of {@code what} is done. */
  public void say(String what, int done, int total) {
    say("%s: %d of %d".formatted(what, done, total));
  }
}
