package io.github.amb.openmpi;

import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.MalformedFrameException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.javacpp.BytePointer;

/**
 * What precedes every payload, and stands alone where there is none: what kind of frame, and its
 * numbers. In the byte order of the ranks' machines, which must have the same.
 */
final class MpiHeader {
  /** How the payload comes. */
  enum Route {
    /** There is none. */
    NONE,
    /** By a message from the same rank. */
    MESSAGE,
    /** By a broadcast of all ranks. */
    TREE,
    /** In slices to all workers, who sum it with theirs on its way to the master. */
    REDUCED,
    /** There is no frame: a slice of such a payload, or of their sum, comes by a message. */
    SLICE,
    /** There is no frame: the rank leaves. */
    GOODBYE
  }

  private static final int MAGIC = 0x414d4203;
  private static final int ROUTE = 4;
  private static final int KIND = 8;
  private static final int LENGTH = 12;
  private static final int STEP = 16;
  private static final int EXAMPLES = 24;
  private static final int STATS = 32;

  /** Of slices: whom the first entry that is not finite is put down to, and where it is. */
  private static final int FLAWED_RANK = STEP;

  private static final int FLAWED_AT = EXAMPLES;

  /** Length in bytes. */
  static final int BYTES = STATS + Frame.MAX_STATS * Double.BYTES;

  private static final Frame.Kind[] KINDS = Frame.Kind.values();
  private static final Route[] ROUTES = Route.values();

  private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
  private final BytePointer pointer = new BytePointer(memory);

  /** The head as MPI sees it. */
  BytePointer pointer() {
    return pointer;
  }

  /** Writes a frame's numbers. */
  void put(Frame frame, Route route) {
    put(route, frame.kind().ordinal(), frame.length());
    memory.putLong(STEP, frame.step());
    memory.putLong(EXAMPLES, frame.examples());
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      memory.putDouble(STATS + i * Double.BYTES, frame.stat(i));
    }
  }

  /** Writes that this rank leaves. */
  void putGoodbye() {
    put(Route.GOODBYE, 0, 0);
  }

  /**
   * Writes that a slice comes.
   *
   * @param whole length of the vector that it is of
   * @param flawedRank the worker that its first entry is put down to which is not finite; 0 if all
   *     are finite, or if nobody has looked
   * @param flawedAt that entry's place in the vector
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
   * Checks what has come.
   *
   * @param from who sent it, for the message
   * @param limit the most floats that a payload may have
   * @throws MalformedFrameException if no rank of this version can have sent it
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
      throw new MalformedFrameException(
          from,
          "expected a header of this version, found magic %x, route %d, kind %d"
              .formatted(memory.getInt(0), route, kind));
    }
    boolean payload = route() != Route.NONE && route() != Route.GOODBYE;
    if (length() < 0 || length() > limit || payload != length() > 0) {
      throw new MalformedFrameException(
          from,
          "expected at most %d floats, found %d by route %s".formatted(limit, length(), route()));
    }
  }

  Route route() {
    return ROUTES[memory.getInt(ROUTE)];
  }

  /** Floats in the payload; in that which a slice is of. */
  int length() {
    return memory.getInt(LENGTH);
  }

  /** Whom the first entry of a slice that is not finite is put down to; 0 if all are finite. */
  int flawedRank() {
    return (int) memory.getLong(FLAWED_RANK);
  }

  /** Where in the vector that entry is. */
  int flawedAt() {
    return (int) memory.getLong(FLAWED_AT);
  }

  /** Moves everything but the payload to a frame. */
  void copyTo(Frame frame, int source) {
    frame.reset(KINDS[memory.getInt(KIND)], memory.getLong(STEP));
    frame.source(source);
    frame.examples(memory.getLong(EXAMPLES));
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      frame.stat(i, memory.getDouble(STATS + i * Double.BYTES));
    }
  }
}
