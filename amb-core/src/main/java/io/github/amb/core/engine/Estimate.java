package io.github.amb.core.engine;

/**
 * What a worker sends to its neighbors in a round of consensus, beside its estimate of what all
 * agree on: a view of a {@link Message}.
 */
public record Estimate(Message message) {
  /** Most rounds of a step. */
  public static final int MAX_ROUNDS = 4096;

  private static final int ROUND = 0;
  private static final int WEIGHT = 1;

  /** The round of the step, from 0. */
  public int round() {
    return (int) message.stat(ROUND);
  }

  /** How much the estimate counts beside others, not negative. */
  public double weight() {
    return message.stat(WEIGHT);
  }

  /** Sets both numbers. */
  public void set(int round, double weight) {
    message.stat(ROUND, round);
    message.stat(WEIGHT, weight);
  }
}
