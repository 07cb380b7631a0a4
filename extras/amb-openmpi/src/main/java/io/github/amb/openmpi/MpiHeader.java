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

  /** Number of floats in the payload. */
  int length() {
    return WireHeader.length(memory);
  }

  /** Copies everything but the payload to a message. */
  void copyTo(Message message, int source) {
    WireHeader.copyTo(memory, message, source);
  }
}
