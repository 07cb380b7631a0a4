package io.github.amb.core.engine;

/** What the master says to a worker beside the parameters: a view of a {@link Message}. */
public record ParametersHeader(Message message) {
  private static final int LEARNING_RATE = 0;
  private static final int TIME_LIMIT = 1;

  /** The learning rate of this step, for workers that update locally. */
  public double learningRate() {
    return message.stat(LEARNING_RATE);
  }

  /** The worker's time limit in seconds, infinite for no limit; 0 if the master sets none. */
  public double timeLimit() {
    return message.stat(TIME_LIMIT);
  }

  /** Sets both numbers. */
  public void set(double learningRate, double timeLimit) {
    message.stat(LEARNING_RATE, learningRate);
    message.stat(TIME_LIMIT, timeLimit);
  }
}
