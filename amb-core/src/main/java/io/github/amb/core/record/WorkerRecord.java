package io.github.amb.core.record;

/**
 * One worker's step, in {@code worker-<rank>.jsonl}. The three {@code last…} times are of the step
 * before, as the gradient that carries them is sent before they are known; −1 on the first step.
 *
 * @param time seconds since the run's first step began, when the gradient arrived at the master
 * @param masterStep number of the update that the gradient is for, from 1
 * @param rank the worker
 * @param numSamples examples in the gradient
 * @param partitions partitions processed
 * @param exhausted whether a time limit was set and the batch ran out before it
 * @param lastSend seconds the worker spent sending its last gradient
 * @param lastRecv seconds from the end of that send until the next parameters had come
 * @param lastExit seconds from then until the next computation started
 * @param sleepTime seconds of induced delay
 * @param computeTime seconds from the start of the step to the end of the computation, induced
 *     delay included
 * @param masterWaitTime seconds the master waited for this gradient after sending parameters
 * @param staleness updates that the master had applied, when it used this gradient, since the
 *     parameters of the gradient (the oldest of them, if the worker changed over while computing)
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
    implements LogRecord {
  /** The same of a worker with another number. */
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

  /** A gradient at the newest parameters. */
  public WorkerRecord(
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
      double masterWaitTime) {
    this(
        time,
        masterStep,
        rank,
        numSamples,
        partitions,
        exhausted,
        lastSend,
        lastRecv,
        lastExit,
        sleepTime,
        computeTime,
        masterWaitTime,
        0);
  }
}
