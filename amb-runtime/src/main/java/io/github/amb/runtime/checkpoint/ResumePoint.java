package io.github.amb.runtime.checkpoint;

import io.github.amb.core.state.StateMap;
import java.io.IOException;
import java.util.SortedMap;

/**
 * The state from which a run resumes.
 *
 * @param step updates applied before
 * @param seconds from the start of training to the end of that step
 * @param master state of the master
 * @param workers state of each worker, by rank
 */
public record ResumePoint(
    long step, double seconds, StateMap master, SortedMap<Integer, StateMap> workers) {
  private static final String ORDER = "order-";
  private static final String TAKEN = "/taken";

  /**
   * Reads a whole checkpoint.
   *
   * @param checkpoint the checkpoint
   * @param ranks number of workers
   * @throws IOException if it cannot be read
   */
  public static ResumePoint of(Checkpoint checkpoint, int ranks) throws IOException {
    return new ResumePoint(
        checkpoint.step(), checkpoint.seconds(), checkpoint.master(), checkpoint.workers(ranks));
  }

  /** A worker's state; empty if none was saved. */
  public StateMap worker(int rank) {
    return workers.getOrDefault(rank, new StateMap());
  }

  /** Whether more is known of each of the workers than its position in the data. */
  public boolean isWhole(int ranks) {
    for (int rank = 1; rank <= ranks; rank++) {
      if (placeInData(rank, 0).entries().keySet().containsAll(worker(rank).entries().keySet())) {
        return false;
      }
    }
    return true;
  }

  /** Number of examples that a worker had taken. */
  public long examples(int rank) {
    return worker(rank).get(ORDER + rank + TAKEN) instanceof long[] taken && taken.length == 1
        ? taken[0]
        : 0;
  }

  /**
   * The state of a worker of which only the position in the data is known.
   *
   * @param rank its number in the run
   * @param taken number of examples that it has taken
   */
  public static StateMap placeInData(int rank, long taken) {
    StateMap state = new StateMap();
    state.put(ORDER + rank + TAKEN, new long[] {taken});
    return state;
  }
}
