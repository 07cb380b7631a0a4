package io.github.amb.core.engine;

/** After how many local iterations a worker pushes its changes: a view of a {@link Message}. */
public record Assignment(Message message) {
  private static final int ITERATIONS = 1;

  /** Iterations to do at the parameters of {@link Message#step}. */
  public int iterations() {
    return (int) message.stat(ITERATIONS);
  }

  /** Sets {@link #iterations()}. */
  public void iterations(int count) {
    message.stat(ITERATIONS, count);
  }
}
