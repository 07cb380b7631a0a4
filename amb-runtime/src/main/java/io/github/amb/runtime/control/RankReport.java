package io.github.amb.runtime.control;

import java.util.List;

/** What a rank tells its launcher. */
public sealed interface RankReport extends ControlRecord {
  /**
   * The number of the rank's process on its host.
   *
   * @param pid the number
   */
  record Started(long pid) implements RankReport {}

  /** A replacement has loaded all that it needs and may join. */
  record Ready() implements RankReport {}

  /** The first step begins; the master says so. */
  record Training() implements RankReport {}

  /** No step follows; the master says so, before it tells the workers. */
  record Over() implements RankReport {}

  /** The rank is about to connect to all others of a generation. */
  record Connecting(int generation) implements RankReport {}

  /** The rank listens for the others of a generation. */
  record Listening(int generation, int readPort, int writePort) implements RankReport {}

  /** The rank is connected to all others of a generation. */
  record Connected(int generation) implements RankReport {}

  /**
   * Who connected to the rank and was dropped before it had proved to be a rank.
   *
   * @param formed whether all ranks of the generation were connected then; else a rank of it may be
   *     among them
   * @param addresses as {@code host:port}
   */
  record Dropped(int generation, boolean formed, List<String> addresses) implements RankReport {
    public Dropped {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A rank has sent the master a malformed frame.
   *
   * @param rank lasting number of the sender
   * @param reason why the frame is malformed
   */
  record Distrusts(int generation, int rank, String reason) implements RankReport {}

  /** The rank's generation has ended, and the rank waits for an order. */
  record Lost(int generation) implements RankReport {}

  /**
   * The rank fails, and its process is about to end.
   *
   * @param own whether the cause is the rank's own; else it has lost others, whose end says more
   * @param cause one line
   */
  record Failed(boolean own, String cause) implements RankReport {}

  /** All is done that the rank had to do. */
  record Finished() implements RankReport {}
}
