package io.github.amb.core.engine;

/** How far a worker is with its local iterations: a view of a {@link Frame}. */
public final class IterationReport {
  private static final int COMPUTE_TIME = 0;
  private static final int ITERATIONS = 1;

  private final Frame frame;

  IterationReport(Frame frame) {
    this.frame = frame;
  }

  /** Seconds that the last iteration took. */
  public double computeTime() {
    return frame.stat(COMPUTE_TIME);
  }

  /** Iterations done at the parameters of {@link Frame#step}. */
  public int iterations() {
    return (int) frame.stat(ITERATIONS);
  }

  /** Sets both numbers. */
  public void set(int iterations, double computeTime) {
    frame.stat(ITERATIONS, iterations);
    frame.stat(COMPUTE_TIME, computeTime);
  }
}
