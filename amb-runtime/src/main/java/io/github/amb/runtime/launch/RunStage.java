package io.github.amb.runtime.launch;

/** How far a run has come, in ascending order. */
enum RunStage {
  /** Ranks start and connect; no step has begun. */
  STARTING,
  /** The first step has begun. */
  TRAINING,
  /** No step follows. */
  OVER,
  /** The master has ended successfully. */
  MASTER_ENDED;

  /** Whether the run has reached {@code stage}. */
  boolean has(RunStage stage) {
    return compareTo(stage) >= 0;
  }

  /** The later one of this stage and {@code next}. */
  RunStage advance(RunStage next) {
    return has(next) ? this : next;
  }
}
