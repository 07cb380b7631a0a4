package io.github.amb.core.record;

/** One result of a worker, which an update has used or the master has dropped. */
public sealed interface ResultRecord extends LogRecord permits WorkerRecord, DropRecord {
  /** The worker. */
  int rank();

  /** Number of examples; 0 if its values were not finite and it counted as empty. */
  long numSamples();

  /** Number of partitions; 0 if it is unknown. */
  int partitions();

  /** Induced delay in seconds. */
  double sleepTime();

  /** Seconds, delay included. */
  double computeTime();
}
