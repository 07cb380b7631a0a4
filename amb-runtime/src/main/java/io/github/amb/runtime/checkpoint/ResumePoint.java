package io.github.amb.runtime.checkpoint;

import io.github.amb.core.state.StateMap;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a run is taken up.
 *
 * @param step updates applied before
 * @param seconds since training started, at that step's end
 * @param master what the master remembers
 * @param workers what each worker remembers, by rank
 */
public record ResumePoint(
    long step, double seconds, StateMap master, SortedMap<Integer, StateMap> workers) {
  private static final String ORDER = "order-";
  private static final String TAKEN = "/taken";

  /**
   * Reads all of a checkpoint.
   *
   * @param ranks number of workers
   */
  public static ResumePoint of(Checkpoint checkpoint, int ranks) throws IOException {
    SortedMap<Integer, StateMap> workers = new TreeMap<>();
    for (int rank = 1; rank <= ranks; rank++) {
      workers.put(rank, checkpoint.worker(rank));
    }
    return new ResumePoint(checkpoint.step(), checkpoint.seconds(), checkpoint.master(), workers);
  }

  /** What a worker remembers; empty if nothing was saved of it. */
  public StateMap worker(int rank) {
    return workers.getOrDefault(rank, new StateMap());
  }

  /** Examples that a worker had taken. */
  long examples(int rank) {
    return worker(rank).get(ORDER + rank + TAKEN) instanceof long[] taken ? taken[0] : 0;
  }

  /** The state of a worker of which nothing but its place in the data is known. */
  static StateMap placeInData(int rank, long taken) {
    StateMap state = new StateMap();
    state.put(ORDER + rank + TAKEN, new long[] {taken});
    return state;
  }
}
