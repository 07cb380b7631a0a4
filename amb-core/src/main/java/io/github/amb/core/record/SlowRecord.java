package io.github.amb.core.record;

/**
 * A part of a run that has become slow, or is as fast as before again, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began
 * @param step updates applied
 * @param rank the worker; 0 for the master
 * @param part {@link #COMPUTING}, {@link #NETWORK}, {@link #UPDATE} or {@link #PAUSE}
 * @param usualSeconds median seconds of a result or step at first
 * @param seconds median seconds now
 * @param share of all that workers and master take longer than before, 0 to 1; 0 if this part is as
 *     fast as before again
 */
public record SlowRecord(
    double time,
    long step,
    int rank,
    String part,
    double usualSeconds,
    double seconds,
    double share)
    implements LogRecord {
  /** What a worker computes, without induced delays. */
  public static final String COMPUTING = "computing";

  /** What the master waits for a worker's result beyond its computation. */
  public static final String NETWORK = "network";

  /** The master's sum and update. */
  public static final String UPDATE = "update";

  /** What else a step takes at the master: the disk, and tests that training waits for. */
  public static final String PAUSE = "pause";

  /** Whether it has become slow, and is not as before again. */
  public boolean slower() {
    return share > 0;
  }

  /** What is slow. */
  public String place() {
    return rank == 0 ? "%s of the master".formatted(part) : "%s of worker %d".formatted(part, rank);
  }

  /** In one line for a user. */
  @Override
  public String toString() {
    return slower()
        ? "slow: %s takes %.3g s, %.3g s at first; %.0f %% of what the run takes longer"
            .formatted(place(), seconds, usualSeconds, 100 * share)
        : "no longer slow: %s takes %.3g s, %.3g s at first"
            .formatted(place(), seconds, usualSeconds);
  }
}
