package io.github.amb.runtime.control;

import java.util.List;

/** What the launcher tells a rank to do. */
public sealed interface Order extends ControlRecord {
  /**
   * Form a new generation with others.
   *
   * @param generation its number
   * @param rank of the receiver in it
   * @param members lasting numbers of its ranks, by rank
   */
  record Form(int generation, int rank, List<Integer> members) implements Order {
    public Form {
      members = List.copyOf(members);
    }
  }

  /**
   * Connect to the others of a generation, all of which listen.
   *
   * @param places where each listens, by rank in the generation
   */
  record Table(int generation, List<Place> places) implements Order {
    public Table {
      places = List.copyOf(places);
    }
  }

  /**
   * Leave a generation, and all before it.
   *
   * @param reason why
   */
  record End(int generation, String reason) implements Order {}

  /**
   * Where a rank listens.
   *
   * @param host its address
   */
  record Place(String host, int readPort, int writePort) {}
}
