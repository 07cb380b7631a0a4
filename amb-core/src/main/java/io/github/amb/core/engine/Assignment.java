package io.github.amb.core.engine;

/** After how many local iterations a worker pushes its changes: a view of a {@link Frame}. */
public final class Assignment {
  private static final int ITERATIONS = 1;

  private final Frame frame;

  Assignment(Frame frame) {
    this.frame = frame;
  }

  /** Iterations to do at the parameters of {@link Frame#step}. */
  public int iterations() {
    return (int) frame.stat(ITERATIONS);
  }

  /** Sets {@link #iterations()}. */
  public void iterations(int count) {
    frame.stat(ITERATIONS, count);
  }
}
