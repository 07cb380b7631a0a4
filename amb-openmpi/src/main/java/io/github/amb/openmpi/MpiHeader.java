package io.github.amb.openmpi;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.BytePointer;

/**
 * The header before every payload, or alone if there is none: kind and numbers of the message. In
 * the byte order of the ranks' machines, which must be the same.
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

  private static final int MAGIC = 0x414d4203;
  private static final int ROUTE = 4;
  private static final int KIND = 8;
  private static final int LENGTH = 12;
  private static final int STEP = 16;
  private static final int EXAMPLES = 24;
  private static final int STATS = 32;

  /** Offset of a slice's worker with the first non-finite entry; the entry's index follows. */
  private static final int FLAWED_RANK = STEP;

  private static final int FLAWED_AT = EXAMPLES;

  /** Length in bytes. */
  static final int BYTES = STATS + Message.MAX_STATS * Double.BYTES;

  private static final Message.Kind[] KINDS = Message.Kind.values();
  private static final Route[] ROUTES = Route.values();

  private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
  private final BytePointer pointer = new BytePointer(memory);

  /** The header as MPI sees it. */
  BytePointer pointer() {
    return pointer;
  }

  /** Writes the numbers of a message. */
  void put(Message message, Route route) {
    put(route, message.kind().ordinal(), message.length());
    memory.putLong(STEP, message.step());
    memory.putLong(EXAMPLES, message.examples());
    for (int i = 0; i < Message.MAX_STATS; i++) {
      memory.putDouble(STATS + i * Double.BYTES, message.stat(i));
    }
  }

  /** Writes that this rank leaves. */
  void putGoodbye() {
    put(Route.GOODBYE, 0, 0);
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
    put(Route.SLICE, 0, whole);
    memory.putLong(FLAWED_RANK, flawedRank);
    memory.putLong(FLAWED_AT, flawedAt);
  }

  private void put(Route route, int kind, int length) {
    memory.putInt(0, MAGIC);
    memory.putInt(ROUTE, route.ordinal());
    memory.putInt(KIND, kind);
    memory.putInt(LENGTH, length);
  }

  /**
   * Checks a received header.
   *
   * @param from rank that sent it, for the message
   * @param limit maximum number of floats in a payload
   * @throws MalformedMessageException if no rank of this version can have sent it
   */
  void check(int from, int limit) {
    int route = memory.getInt(ROUTE);
    int kind = memory.getInt(KIND);
    boolean known =
        memory.getInt(0) == MAGIC
            && route >= 0
            && route < ROUTES.length
            && kind >= 0
            && kind < KINDS.length;
    if (!known) {
      throw new MalformedMessageException(
          from,
          "expected a header of this version, found magic %x, route %d, kind %d"
              .formatted(memory.getInt(0), route, kind));
    }
    boolean payload = route() != Route.NONE && route() != Route.GOODBYE;
    if (length() < 0 || length() > limit || payload != length() > 0) {
      throw new MalformedMessageException(
          from,
          "expected at most %d floats, found %d by route %s".formatted(limit, length(), route()));
    }
  }

  Route route() {
    return ROUTES[memory.getInt(ROUTE)];
  }

  /** Number of floats in the payload; for a slice, in the whole vector. */
  int length() {
    return memory.getInt(LENGTH);
  }

  /** The worker whose vector has the first non-finite entry of a slice; 0 if there is none. */
  int flawedRank() {
    return (int) memory.getLong(FLAWED_RANK);
  }

  /** Index of that entry in the whole vector. */
  int flawedAt() {
    return (int) memory.getLong(FLAWED_AT);
  }

  /** Copies everything but the payload to a message. */
  void copyTo(Message message, int source) {
    message.reset(KINDS[memory.getInt(KIND)], memory.getLong(STEP));
    message.source(source);
    message.examples(memory.getLong(EXAMPLES));
    for (int i = 0; i < Message.MAX_STATS; i++) {
      message.stat(i, memory.getDouble(STATS + i * Double.BYTES));
    }
  }
}
