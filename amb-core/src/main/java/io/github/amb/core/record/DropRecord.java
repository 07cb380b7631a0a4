package io.github.amb.core.record;

/**
 * A worker's result that arrived late and was not used, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, when the master took the result
 * @param step updates applied when it arrived
 * @param rank the worker
 * @param numSamples number of examples in the result
 * @param staleness updates applied since the parameters at which it was computed
 * @param partitions number of partitions processed; 0 in records of older builds, which lack this
 *     and the two times
 * @param sleepTime seconds of induced delay
 * @param computeTime seconds from the start of the step to the end of the computation, induced
 *     delay included
 */
public record DropRecord(
    double time,
    long step,
    int rank,
    long numSamples,
    long staleness,
    int partitions,
    double sleepTime,
    double computeTime)
    implements ResultRecord {
  /** A copy of this record for another worker. */
  public DropRecord of(int worker) {
    return new DropRecord(
        time, step, worker, numSamples, staleness, partitions, sleepTime, computeTime);
  }
}
