package io.github.amb.core.engine;

/**
 * Who takes part in a run, from one rank's view. When a rank is lost, or another one joins, the
 * world that the ranks share ends and they form a new one, a new generation; what was under way
 * between them is gone, and what each remembers stays.
 */
public interface Membership {
  /**
   * One world.
   *
   * @param number from 1
   * @param members the lasting number of each rank of this world, by its rank in this world; the
   *     master is 0 in both
   * @param communicator between the ranks of this world
   */
  record Generation(int number, int[] members, Communicator communicator) {
    /** The world of a run whose ranks never change. */
    public static Generation only(Communicator communicator) {
      int[] members = new int[communicator.size()];
      for (int rank = 0; rank < members.length; rank++) {
        members[rank] = rank;
      }
      return new Generation(1, members, communicator);
    }

    /** This rank's lasting number. */
    public int self() {
      return members[communicator.rank()];
    }
  }

  /** Joins the first world that this rank is part of. */
  Generation first();

  /**
   * Leaves a world that has ended and joins the next one.
   *
   * @param failure how this rank noticed; if it is a {@link MalformedFrameException}, it has the
   *     sender's lasting number, and a master's run goes on without the sender
   * @throws EngineException {@code failure}, or a newer one, if the run does not go on
   */
  Generation next(EngineException failure);

  /** Whether this rank takes the place of one that was lost. */
  default boolean isReplacement() {
    return false;
  }

  /** Says that training goes on in the current world; masters only. */
  default void training() {}

  /** Says that a step is done in the current world; masters only. */
  default void progress() {}

  /** Says that no step follows, so that it does not matter who is lost now; masters only. */
  default void trainingOver() {}

  /** Whether the world is to end at the next step's end, as somebody waits to join. */
  default boolean changes() {
    return false;
  }

  /** A run whose ranks never change. */
  static Membership fixed(Communicator communicator) {
    return new Membership() {
      @Override
      public Generation first() {
        return Generation.only(communicator);
      }

      @Override
      public Generation next(EngineException failure) {
        throw failure;
      }
    };
  }
}
