package io.github.amb.runtime.checkpoint;

/**
 * Decides when a checkpoint begins, and when training waits for it, so that the newest checkpoint
 * on the disk is never older than the interval. A checkpoint begins earlier than the interval by
 * the duration of the one before. Steps and seconds count from the start of training.
 */
final class CheckpointPace {
  private static final double MAX_LEAD = 0.5;

  private final Interval every;
  private double lead;
  private double begun;
  private double safe;

  /** Expects the first checkpoint to take no time. */
  CheckpointPace(Interval every) {
    this.every = every;
  }

  /** Expects the next checkpoint to take the maximum, half the interval, as nothing is known. */
  void expectMost() {
    took(Double.POSITIVE_INFINITY);
  }

  /** Whether the next checkpoint is to begin; never if only the last one is requested. */
  boolean isDue(long step, double time) {
    return passed(step, time) >= every.length() - lead;
  }

  /** Whether the newest checkpoint on the disk is older than the interval. */
  boolean isLate(long step, double time) {
    return every.passed(step, time) - safe > every.length();
  }

  /** A checkpoint of this step begins. */
  void begun(long step, double time) {
    begun = every.passed(step, time);
  }

  /** The checkpoint that began last is on the disk, or was abandoned. */
  void safe() {
    safe = begun;
  }

  /** Steps or seconds since the last checkpoint began. */
  double passed(long step, double time) {
    return every.passed(step, time) - begun;
  }

  /**
   * Expects the next checkpoint to take as long as the last one, but at most half the interval.
   *
   * @param length steps or seconds, as in the interval
   */
  void took(double length) {
    lead = Math.min(length, MAX_LEAD * every.length());
  }
}
