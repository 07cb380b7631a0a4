package io.github.amb.runtime.mpj;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One MPI world as the engine sees it, in JDK types only, so that MPJ Express can live in a class
 * loader of its own and a new world can be formed in the same JVM.
 */
public interface MpjWorld {
  /** This rank in the world. */
  int rank();

  /** Number of ranks in the world. */
  int size();

  /** The program's arguments without the ones that MPJ Express prepends. */
  List<String> remaining();

  /**
   * Bytes that MPJ Express itself puts on the wire with every message; so much room must be before
   * one that is sent.
   */
  int overhead();

  /** Bytes of room before a message that is received. */
  int receivingRoom();

  /** The longest message in bytes that is sent at once, without asking the receiver first. */
  int eagerLimit();

  /** Whether a listener is asked where messages shall go. */
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
   * @param capacity longest message in bytes
   * @param aligned offset in bytes of the part that shall lie on a cache line
   */
  void listen(int capacity, int aligned, Listener listener);

  /** Ends the world; all ranks must call it. Gives up after a second. */
  void leave();

  /** Who connected while the world was formed without being a rank, and was dropped. */
  List<String> strangers();

  /** Cuts all connections; no other rank need do anything. */
  void abandon();

  /** Hears of messages; messages of one rank come one at a time, in the order sent. */
  interface Listener {
    /**
     * Where the next message from a rank shall go, if the world can choose.
     *
     * @return memory for the longest message, or null for memory of the world's own
     */
    MessageMemory next(int from);

    /**
     * A message has arrived.
     *
     * @param message valid until return, in native byte order
     * @param bytes length of the message
     */
    void arrived(int from, ByteBuffer message, int bytes);

    /**
     * Nothing more will arrive from anyone.
     *
     * @param cause what was received that no rank sends, or null if a rank ended
     */
    void ended(String cause);
  }
}
