package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A process group of MPI as the engine sees it, in JDK types only. MPJ Express can so live in a
 * class loader of its own, and a new group can be formed in the same JVM.
 */
public interface MpjWorld {
  /** This rank. */
  int rank();

  /** Number of ranks. */
  int size();

  /** The program's arguments without those that MPJ Express prepends. */
  List<String> remaining();

  /**
   * Bytes that MPJ Express adds to every message; as much room must be before a message that is
   * sent.
   */
  int overhead();

  /** Bytes of room before a received message. */
  int receivingRoom();

  /**
   * The key with which messages to or from a rank are encrypted.
   *
   * @return 32 bytes; null if they are not encrypted
   */
  default byte[] key(int peer, boolean outgoing) {
    return null;
  }

  /** Maximum bytes of a message that is sent at once, without asking the receiver first. */
  int eagerLimit();

  /** Whether {@link Listener#next} is called for the memory of messages. */
  boolean asksForMemory();

  /**
   * Sends the first {@code bytes} bytes of a message; the memory may be reused on return.
   *
   * @throws IOException if the connection to {@code to} is broken
   */
  void send(int to, MessageMemory memory, int bytes) throws IOException;

  /**
   * Starts to receive from every other rank; call once.
   *
   * @param capacity maximum length of a message in bytes
   * @param aligned offset in bytes of the part that starts on a cache line
   * @param listener receives the messages
   */
  void listen(int capacity, int aligned, Listener listener);

  /** Ends the group; all ranks must call it. Returns after one second at the latest. */
  void leave();

  /** The connections that were rejected while the group was formed, as {@code host:port}. */
  List<String> rejected();

  /** Cuts all connections, without the help of other ranks. */
  void abandon();

  /** Receives messages. Messages of one rank come one at a time, in the order sent. */
  interface Listener {
    /**
     * The memory for the next message from a rank.
     *
     * @return memory for the longest message, or null for memory of MPJ Express
     */
    MessageMemory next(int from);

    /**
     * A message has arrived.
     *
     * @param from rank that sent it
     * @param message valid until return, in native byte order
     * @param bytes length of the message
     */
    void arrived(int from, ByteBuffer message, int bytes);

    /**
     * No further message will arrive from any rank.
     *
     * @param cause the received bytes that no rank sends, or null if a connection broke
     */
    void ended(String cause);
  }
}
