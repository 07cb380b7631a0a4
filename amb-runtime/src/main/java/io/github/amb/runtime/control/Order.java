package io.github.amb.runtime.control;

import java.util.List;

/** What the launcher orders a rank to do. */
public sealed interface Order extends ControlRecord {
  /**
   * Form a new generation with others.
   *
   * @param generation its number
   * @param rank the receiver's rank in it
   * @param members numbers of its ranks in the run, by rank; copied
   * @param reason why there are new generations since the last one that formed, for people; empty
   *     if none did
   */
  record Form(int generation, int rank, List<Integer> members, String reason) implements Order {
    public Form {
      members = List.copyOf(members);
    }
  }

  /**
   * Connect to the others of a generation, all of which listen.
   *
   * @param generation its number
   * @param places where each listens, by rank in the generation; copied
   */
  record Table(int generation, List<Place> places) implements Order {
    public Table {
      places = List.copyOf(places);
    }
  }

  /**
   * Leave a generation, and all before it.
   *
   * @param generation its number
   * @param reason why, for people
   */
  record End(int generation, String reason) implements Order {}

  /**
   * To the master: leave a generation after the first step by which results of a worker have come.
   *
   * @param generation its number
   * @param rank the worker's number in the run, which leaves
   * @param results how many of its results in this generation
   */
  record Release(int generation, int rank, long results) implements Order {}

  /** To a worker: ask to leave, as after SIGTERM. */
  record Leave() implements Order {}

  /** To a worker that was asked to end, or is about to be: end, as nobody waits for it. */
  record Exit() implements Order {}

  /**
   * Where a rank listens.
   *
   * @param host its address
   * @param readPort port for connections that the rank reads from
   * @param writePort port for connections that the rank writes to
   */
  record Place(String host, int readPort, int writePort) {}
}
