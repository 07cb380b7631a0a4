package io.github.amb.openmpi;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.BytePointer;

/**
 * The header before every payload, or alone if there is none: a {@link WireHeader} whose own number
 * is the route of the payload. In the byte order of the ranks' machines, which must be the same.
 */
final class MpiHeader {
  /** How the payload travels. */
  enum Route {
    /** There is no payload. */
    NONE,
    /** In a message from the same rank. */
    MESSAGE,
    /** In a broadcast of all ranks. */
    TREE,
    /** In slices to all workers, which sum it with theirs on its way to the master. */
    REDUCED,
    /** Not a message of the program: a slice of such a payload, or of their sum, follows. */
    SLICE,
    /** Not a message of the program: the rank leaves. */
    GOODBYE
  }

  /** Length in bytes. */
  static final int BYTES = WireHeader.BYTES;

  private static final Route[] ROUTES = Route.values();

  private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());

  /** The header as MPI sees it. */
  final BytePointer pointer = new BytePointer(memory);

  /** Writes the numbers of a message. */
  void put(Message message, Route route) {
    WireHeader.put(memory, route.ordinal(), message);
  }

  /** Writes that this rank leaves. */
  void putGoodbye() {
    WireHeader.put(memory, Route.GOODBYE.ordinal(), 0, 0);
  }

  /**
   * Writes the header of a slice.
   *
   * @param whole length of the whole vector
   * @param flawedRank the worker whose vector has the first non-finite entry; 0 if all entries are
   *     finite, or were not checked
   * @param flawedAt index of that entry in the whole vector
   */
  void putSlice(int whole, int flawedRank, int flawedAt) {
    WireHeader.put(memory, Route.SLICE.ordinal(), 0, whole);
    WireHeader.putNumbers(memory, flawedRank, flawedAt);
  }

  /**
   * Checks a received header.
   *
   * @param from rank that sent it, for the message
   * @param limit maximum number of floats in a payload
   * @throws MalformedMessageException if no rank of this version can have sent it
   */
  void check(int from, int limit) {
    WireHeader.checkVersion(memory, from);
    WireHeader.checkKind(memory, from);
    int route = WireHeader.own(memory);
    if (route < 0 || route >= ROUTES.length) {
      throw new MalformedMessageException(
          from, "expected route 0 to %d, found %d".formatted(ROUTES.length - 1, route));
    }
    boolean payload = route() != Route.NONE && route() != Route.GOODBYE;
    if (length() < 0 || length() > limit || payload != length() > 0) {
      throw new MalformedMessageException(
          from,
          "expected at most %d floats, found %d by route %s".formatted(limit, length(), route()));
    }
  }

  Route route() {
    return ROUTES[WireHeader.own(memory)];
  }

  /** Number of floats in the payload; for a slice, in the whole vector. */
  int length() {
    return WireHeader.length(memory);
  }

  /** The worker whose vector has the first non-finite entry of a slice; 0 if there is none. */
  int flawedRank() {
    return (int) WireHeader.step(memory);
  }

  /** Index of that entry in the whole vector. */
  int flawedAt() {
    return (int) WireHeader.examples(memory);
  }

  /** Copies everything but the payload to a message. */
  void copyTo(Message message, int source) {
    WireHeader.copyTo(memory, message, source);
  }
}
