package io.github.amb.runtime.checkpoint;

/**
 * When a checkpoint is begun, and when training waits for it, so that the newest one on the disk
 * never gets older than was asked for. One is begun earlier than the interval by as much as the one
 * before took. Steps and seconds are those since training started.
 */
final class CheckpointPace {
  private static final double MOST_LEAD = 0.5;

  private final CheckpointInterval every;
  private double lead;
  private long begunStep;
  private double begunTime;
  private long safeStep;
  private double safeTime;

  /** Expects the first one to take no time. */
  CheckpointPace(CheckpointInterval every) {
    this.every = every;
  }

  /** Expects the next one to take as long as any is expected to, as nothing is known. */
  void expectMost() {
    took(Double.POSITIVE_INFINITY);
  }

  /** Whether the next one is to be begun; never if only the last one is asked for. */
  boolean isDue(long step, double time) {
    return passed(step, time) >= every.length() - lead;
  }

  /** Whether the newest one that is safe is older than was asked for. */
  boolean isLate(long step, double time) {
    return every.passed(step - safeStep, time - safeTime) > every.length();
  }

  /** One is begun, of this step. */
  void begun(long step, double time) {
    begunStep = step;
    begunTime = time;
  }

  /** The one that was begun last is on the disk, or has been given up. */
  void safe() {
    safeStep = begunStep;
    safeTime = begunTime;
  }

  /** How much of the interval has passed since the last one was begun. */
  double passed(long step, double time) {
    return every.passed(step - begunStep, time - begunTime);
  }

  /**
   * Expects the next one to take as long as the last one, but no more than half the interval.
   *
   * @param length steps or seconds, as in the interval
   */
  void took(double length) {
    lead = Math.min(length, MOST_LEAD * every.length());
  }
}
