package io.github.amb.core.engine;

/** How far a worker is with its local iterations: a view of a {@link Message}. */
public record IterationReport(Message message) {
  private static final int COMPUTE_TIME = 0;
  private static final int ITERATIONS = 1;

  /** Seconds that the last iteration took. */
  public double computeTime() {
    return message.stat(COMPUTE_TIME);
  }

  /** Iterations done at the parameters of {@link Message#step}. */
  public int iterations() {
    return (int) message.stat(ITERATIONS);
  }

  /** Sets both numbers. */
  public void set(int iterations, double computeTime) {
    message.stat(ITERATIONS, iterations);
    message.stat(COMPUTE_TIME, computeTime);
  }
}
