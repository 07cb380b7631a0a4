package io.github.amb.core.engine;

/**
 * Sends and receives messages, as {@link Message}s, between the ranks of one run. Rank 0 is the
 * master.
 *
 * <p>Messages from one rank to another arrive in the order sent. One thread at a time uses a rank's
 * communicator. Deadlines are absolute nanoseconds on the {@link Clock} of the same engine. {@link
 * Clock#NEVER} waits until the peer answers or has failed.
 */
public interface Communicator extends AutoCloseable {
  /** In place of a source rank: the next message from any rank. */
  int ANY = -1;

  /** Rank of the master. */
  int MASTER = 0;

  /** Bytes of payload that a rank can have on its way to another one before it waits for it. */
  long WINDOW_BYTES = 8L << 20;

  /** Messages that a rank can have on their way to another one before it waits for it. */
  int WINDOW_MESSAGES = 64;

  /** Messages of up to this many bytes of payload wait for {@link #WINDOW_MESSAGES} alone. */
  int SMALL_BYTES = 64 << 10;

  /**
   * Whether a message may be sent now. A message is on its way until the receiver's program has
   * taken it.
   *
   * @param messages on their way from the sender to the receiver
   * @param bytes of their payloads
   * @param size bytes of this message's payload
   */
  static boolean admits(long messages, long bytes, long size) {
    return messages < WINDOW_MESSAGES && (size <= SMALL_BYTES || bytes <= WINDOW_BYTES);
  }

  /**
   * How many messages of {@code length} floats a rank can have on their way to another one before
   * it waits for it: as many as {@link #WINDOW_BYTES} hold, from 1 to 10. Engines may admit more.
   */
  static int window(int length) {
    return (int) Math.max(1, Math.min(10, WINDOW_BYTES / Float.BYTES / Math.max(1, length)));
  }

  /** {@link #window}, where a float of a payload may stand for several. */
  default int room(int length) {
    return window(length);
  }

  /** This rank, from 0 to {@link #size} − 1. */
  int rank();

  /** Number of ranks, master included. */
  int size();

  /** The number in the run of a rank, which it keeps from generation to generation. */
  default int number(int rank) {
    return rank;
  }

  /**
   * Lends {@code message} memory of the engine for a payload, which can be sent without a copy.
   * Write the payload to {@link Message#payload}. The memory is taken back when the message is
   * sent.
   *
   * @param to the rank that the message will be sent to, or {@link #ANY} for all other ranks
   * @param message receives the memory; modified
   * @param length number of floats in the payload
   * @return false if the engine has no memory to lend; then {@code message} is not modified
   */
  default boolean lend(int to, Message message, int length) {
    return false;
  }

  /**
   * Whether payloads of {@code length} floats that all workers send to the master for the same step
   * can be summed on the way ({@link Message#reduce}). The answer is the same on all ranks.
   */
  default boolean reduces(int length) {
    return false;
  }

  /**
   * Whether ranks that receive a broadcast pass it on, so that no link carries it once per
   * receiver.
   */
  default boolean relays() {
    return false;
  }

  /**
   * Sends a message of this length to each other worker, as all of them do. Where timing alone is
   * simulated, an engine may account for all these messages together. A worker then receives one
   * message, from itself, when it would have received the last one.
   *
   * @param message not modified; its content does not matter
   * @return false, on all ranks, if nothing was sent; then send one by one
   */
  default boolean exchange(Message message) {
    return false;
  }

  /**
   * Sends a message, once {@link #admits} holds.
   *
   * @param to rank of the receiver
   * @param message may be reused on return; not modified, except that lent memory is released and
   *     {@link Message#number()} is set
   * @param deadline absolute time in nanoseconds
   * @throws EngineException if {@code to} has failed or does not accept the message before the
   *     deadline
   */
  void send(int to, Message message, long deadline);

  /**
   * Sends a message to every other rank.
   *
   * @param message may be reused on return; not modified, except that lent memory is released and
   *     {@link Message#number()} is set
   * @param deadline absolute time in nanoseconds
   * @throws EngineException if a rank has failed or does not accept the message before the deadline
   */
  void broadcast(Message message, long deadline);

  /**
   * Waits for the next message.
   *
   * @param from source rank, or {@link #ANY}
   * @param into receives the message; modified, and its payload array may be replaced by another
   *     one
   * @param deadline absolute time in nanoseconds
   * @return false if the deadline passed first
   * @throws EngineException if {@code from} (with {@link #ANY}: any rank) has failed
   */
  boolean receive(int from, Message into, long deadline);

  /** Floats of the message that was received last, as it came; 0 if {@link #hold} does nothing. */
  default int lastReceived() {
    return 0;
  }

  /**
   * Counts a message as on its way again that has been received and is not taken yet, or no longer.
   * Engines may count it as taken when it is received.
   *
   * @param source rank of the sender
   * @param floats as {@link #lastReceived}
   * @param held whether it counts from now on
   */
  default void hold(int source, int floats, boolean held) {}

  /** Bytes sent on the network since the start, headers included. */
  long bytesSent();

  /** Bytes received from the network since the start, headers included. */
  long bytesReceived();

  /** Leaves the run and frees the engine's resources. Blocks for a few seconds at most. */
  @Override
  void close();
}
