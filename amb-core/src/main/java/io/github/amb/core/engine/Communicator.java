package io.github.amb.core.engine;

/**
 * Sends and receives {@link Frame}s between the ranks of one run. Rank 0 is the master.
 *
 * <p>Frames from one rank to another arrive in the order sent. Each rank's communicator is used by
 * one thread at a time. Deadlines are absolute, on the {@link Clock} of the same engine; {@link
 * Clock#NEVER} waits until the peer answers or is known to be lost.
 */
public interface Communicator extends AutoCloseable {
  /** In place of a source rank: whichever frame comes first. */
  int ANY = -1;

  /** Rank of the master. */
  int MASTER = 0;

  /** This rank, from 0 to {@link #size} − 1. */
  int rank();

  /** Number of ranks, master included. */
  int size();

  /**
   * Lends {@code frame} memory of the engine for a payload of {@code length} floats, from which
   * nothing need be copied to send it: write to {@link Frame#payload}, and expect it to be gone
   * when the frame has been sent.
   *
   * @param to the rank that it is to be sent to, or {@link #ANY} if to every other one
   * @return false if the engine has none to lend; the frame is as it was then
   */
  default boolean lend(int to, Frame frame, int length) {
    return false;
  }

  /**
   * Whether payloads of {@code length} floats that all workers send to the master for the same step
   * can be summed on their way to it ({@link Frame#reduce}); all ranks get the same answer.
   */
  default boolean reduces(int length) {
    return false;
  }

  /**
   * Sends {@code frame}, which is not modified, but for memory lent and its {@link Frame#NUMBER},
   * and may be reused on return.
   *
   * @throws EngineException if {@code to} is lost or does not take the frame before the deadline
   */
  void send(int to, Frame frame, long deadline);

  /**
   * Sends {@code frame} to every other rank. Not modified but for its {@link Frame#NUMBER}; may be
   * reused on return.
   *
   * @throws EngineException if a rank is lost or does not take the frame before the deadline
   */
  void broadcast(Frame frame, long deadline);

  /**
   * Waits for the next frame.
   *
   * @param from source rank, or {@link #ANY}
   * @param into receives the frame; modified, and its payload array may be exchanged for another
   * @return false if the deadline passed first
   * @throws EngineException if {@code from} (or, with {@link #ANY}, any rank) is lost
   */
  boolean receive(int from, Frame into, long deadline);

  /** Bytes handed to the wire since the start, headers included. */
  long bytesSent();

  /** Bytes taken from the wire since the start, headers included. */
  long bytesReceived();

  /** Leaves the run and frees what the engine holds; never blocks for longer than a few seconds. */
  @Override
  void close();
}
