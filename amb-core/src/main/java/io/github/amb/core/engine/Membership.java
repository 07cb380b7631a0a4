package io.github.amb.core.engine;

import java.util.Arrays;

/**
 * The ranks that take part in a run, from one rank's view. When a rank fails or joins, the process
 * group ends and the ranks form a new one, the next generation. Messages in flight are lost; the
 * state of each rank is kept.
 */
public interface Membership {
  /**
   * The process group between two changes of membership.
   *
   * @param number from 1
   * @param members {@code members[r]} is the permanent number of rank r of this generation; the
   *     master is 0 in both
   * @param communicator connects the ranks of this generation
   * @param reason which ranks failed or joined before it; empty if that is not known
   */
  record Generation(int number, int[] members, Communicator communicator, String reason) {
    /** Number of the generation that a run starts with. */
    public static final int FIRST = 1;

    /** A generation of which no reason is known. */
    public Generation(int number, int[] members, Communicator communicator) {
      this(number, members, communicator, "");
    }

    /** The generation of a run whose ranks never change. */
    public static Generation only(Communicator communicator) {
      int[] members = new int[communicator.size()];
      Arrays.setAll(members, rank -> rank);
      return new Generation(1, members, communicator);
    }

    /** This rank's permanent number. */
    public int self() {
      return members[communicator.rank()];
    }
  }

  /** Joins the first generation that this rank is part of. */
  Generation first();

  /**
   * Leaves a generation that has ended and joins the next one.
   *
   * @param failure how this rank detected the end. A {@link MalformedMessageException} has the
   *     permanent number of the sender, and the master continues the run without the sender.
   * @throws EngineException {@code failure}, or a newer one, if the run cannot continue
   */
  Generation next(EngineException failure);

  /** Whether this rank replaces one that has failed. */
  default boolean isReplacement() {
    return false;
  }

  /** Reports that training continues in the current generation; masters only. */
  default void training() {}

  /** Reports that no step follows, so that further rank failures do not matter; masters only. */
  default void trainingOver() {}

  /**
   * Whether the generation must end after the current step, because a rank waits to join or to
   * leave.
   */
  default boolean changes() {
    return false;
  }

  /** The membership of a run whose ranks never change. */
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
