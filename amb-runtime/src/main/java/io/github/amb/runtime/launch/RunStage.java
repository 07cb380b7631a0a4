package io.github.amb.runtime.launch;

/** How far a run has come; it never goes back. */
enum RunStage {
  /** Ranks start and meet; no step has begun. */
  STARTING,
  /** The first step has begun. */
  TRAINING,
  /** No step follows. */
  OVER,
  /** The master has ended as it should. */
  MASTER_ENDED;

  /** Whether the run has come as far as {@code stage}. */
  boolean has(RunStage stage) {
    return compareTo(stage) >= 0;
  }

  /** This stage or {@code next}, whichever is later. */
  RunStage advance(RunStage next) {
    return has(next) ? this : next;
  }
}
