package io.github.amb.core.engine;

/**
 * Local iterations that a worker has done, or is to do before it pushes: a view of a {@link
 * Message}.
 */
public record LocalIterations(Message message) {
  private static final int COMPUTE_TIME = 0;
  private static final int COUNT = 1;

  /** Seconds that the last iteration took. */
  public double computeTime() {
    return message.stat(COMPUTE_TIME);
  }

  /** Iterations at the parameters of {@link Message#step}. */
  public int count() {
    return (int) message.stat(COUNT);
  }

  /**
   * Sets both numbers.
   *
   * @param computeTime 0 where the iterations are to be done
   */
  public void set(int count, double computeTime) {
    message.stat(COUNT, count);
    message.stat(COMPUTE_TIME, computeTime);
  }
}
