package io.github.amb.core.record;

/**
 * One worker's step, in {@code worker-<rank>.jsonl}. The three {@code last…} times are those of the
 * step before, as they are not known yet when the gradient that carries them is sent; −1 in the
 * first step.
 *
 * @param time seconds since the run's first step began, when the gradient arrived at the master
 * @param masterStep number of the update that the gradient is for, from 1
 * @param rank the worker
 * @param numSamples number of examples in the gradient
 * @param partitions number of partitions processed
 * @param exhausted whether a time limit was set and the batch ended before it
 * @param lastSend seconds that the worker spent sending its last gradient
 * @param lastRecv seconds from the end of that send until the next parameters were received
 * @param lastExit seconds from then until the next computation started
 * @param sleepTime seconds of induced delay; −1 if another program's log does not have it
 * @param computeTime seconds from the start of the step to the end of the computation, induced
 *     delay included
 * @param masterWaitTime seconds that the master waited for this gradient after sending parameters
 * @param staleness updates that the master had applied between the gradient's parameters and its
 *     use of the gradient; counted from the oldest parameters, if the worker changed them while
 *     computing
 */
public record WorkerRecord(
    double time,
    long masterStep,
    int rank,
    long numSamples,
    int partitions,
    boolean exhausted,
    double lastSend,
    double lastRecv,
    double lastExit,
    double sleepTime,
    double computeTime,
    double masterWaitTime,
    long staleness)
    implements ResultRecord {
  @Override
  public long step() {
    return masterStep;
  }

  /** The record of this result if no update uses it after all. */
  public DropRecord dropped() {
    return new DropRecord(
        time, masterStep - 1, rank, numSamples, staleness, partitions, sleepTime, computeTime);
  }

  /** A copy of this record for another worker. */
  public WorkerRecord of(int worker) {
    return new WorkerRecord(
        time,
        masterStep,
        worker,
        numSamples,
        partitions,
        exhausted,
        lastSend,
        lastRecv,
        lastExit,
        sleepTime,
        computeTime,
        masterWaitTime,
        staleness);
  }
}
