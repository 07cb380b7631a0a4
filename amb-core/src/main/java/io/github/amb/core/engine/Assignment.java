package io.github.amb.core.engine;

/** After how many local iterations a worker pushes its changes: a view of a {@link Message}. */
public final class Assignment {
  private static final int ITERATIONS = 1;

  private final Message message;

  Assignment(Message message) {
    this.message = message;
  }

  /** Iterations to do at the parameters of {@link Message#step}. */
  public int iterations() {
    return (int) message.stat(ITERATIONS);
  }

  /** Sets {@link #iterations()}. */
  public void iterations(int count) {
    message.stat(ITERATIONS, count);
  }
}
