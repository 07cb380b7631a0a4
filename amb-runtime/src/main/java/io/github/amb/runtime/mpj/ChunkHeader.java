package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Frame;
import java.nio.ByteBuffer;

/**
 * The head of every message between engines, {@value #BYTES} bytes in native byte order; the
 * chunk's floats follow.
 *
 * <p>A frame travels as one or more chunks with equal heads except for {@link #offset} and {@link
 * #count}.
 */
final class ChunkHeader {
  /** Length of the head in bytes. */
  static final int BYTES = 48 + Frame.MAX_STATS * Double.BYTES;

  /** "AMB" and the version of this format. */
  static final int MAGIC = 0x414D4201;

  /** Code of a chunk that only acknowledges. */
  static final int ACKNOWLEDGEMENT = 100;

  /** Code of the last chunk of a rank that leaves in order. */
  static final int GOODBYE = 101;

  private static final int MAGIC_AT = 0;
  private static final int SOURCE_AT = 4;
  private static final int KIND_AT = 8;
  private static final int LENGTH_AT = 12;
  private static final int OFFSET_AT = 16;
  private static final int COUNT_AT = 20;
  private static final int CONSUMED_AT = 24;
  private static final int STEP_AT = 32;
  private static final int EXAMPLES_AT = 40;
  private static final int STATS_AT = 48;
  private static final Frame.Kind[] KINDS = Frame.Kind.values();

  /** Ordinal of a {@link Frame.Kind}, or one of the codes above. */
  int kind;

  /** Number of floats in the whole frame. */
  int length;

  /** Index in the frame of the chunk's first float. */
  int offset;

  /** Number of floats in the chunk. */
  int count;

  /** How many of the receiver's frames the sender has consumed so far. */
  long consumed;

  long step;
  long examples;
  final double[] stats = new double[Frame.MAX_STATS];

  /** Writes what all chunks of {@code frame} have in common. */
  static void put(ByteBuffer chunk, int source, Frame frame) {
    put(chunk, source, frame.kind().ordinal());
    chunk.putInt(LENGTH_AT, frame.length());
    chunk.putLong(STEP_AT, frame.step());
    chunk.putLong(EXAMPLES_AT, frame.examples());
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      chunk.putDouble(STATS_AT + i * Double.BYTES, frame.stat(i));
    }
  }

  /** Writes the head of a chunk without payload. */
  static void put(ByteBuffer chunk, int source, int kind) {
    chunk.putInt(MAGIC_AT, MAGIC);
    chunk.putInt(SOURCE_AT, source);
    chunk.putInt(KIND_AT, kind);
    chunk.putInt(LENGTH_AT, 0);
    putPart(chunk, 0, 0);
  }

  /** Writes which part of the frame this chunk is. */
  static void putPart(ByteBuffer chunk, int offset, int count) {
    chunk.putInt(OFFSET_AT, offset);
    chunk.putInt(COUNT_AT, count);
  }

  /** Writes what differs per receiver. */
  static void putConsumed(ByteBuffer chunk, long consumed) {
    chunk.putLong(CONSUMED_AT, consumed);
  }

  /**
   * Reads and checks a head.
   *
   * @param chunk head and floats, in native byte order
   * @param bytes length of head and floats
   * @param from rank that sent it
   * @param limit the most floats that a frame may have
   * @throws EngineException if any field is out of range; nothing has been allocated by then
   */
  void get(ByteBuffer chunk, int bytes, int from, int limit) {
    check("length in bytes", BYTES, Integer.MAX_VALUE, bytes, from);
    check("magic", MAGIC, MAGIC, chunk.getInt(MAGIC_AT), from);
    check("source", from, from, chunk.getInt(SOURCE_AT), from);
    kind = chunk.getInt(KIND_AT);
    if (kind != ACKNOWLEDGEMENT && kind != GOODBYE) {
      check("kind", 0, KINDS.length - 1, kind, from);
    }
    length = chunk.getInt(LENGTH_AT);
    check("number of floats", 0, limit, length, from);
    offset = chunk.getInt(OFFSET_AT);
    check("offset of the chunk", 0, length, offset, from);
    count = chunk.getInt(COUNT_AT);
    check("floats in the chunk", Math.min(1, length), length - offset, count, from);
    long whole = BYTES + (long) Float.BYTES * count;
    check("length in bytes", whole, whole, bytes, from);
    consumed = chunk.getLong(CONSUMED_AT);
    step = chunk.getLong(STEP_AT);
    examples = chunk.getLong(EXAMPLES_AT);
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      stats[i] = chunk.getDouble(STATS_AT + i * Double.BYTES);
    }
  }

  /** Starts {@code frame} with what this head says, without payload. */
  void copyTo(Frame frame, int from) {
    frame.reset(KINDS[kind], step);
    frame.source(from);
    frame.examples(examples);
    for (int i = 0; i < Frame.MAX_STATS; i++) {
      frame.stat(i, stats[i]);
    }
  }

  private static void check(String what, long least, long most, long found, int from) {
    if (found < least || found > most) {
      throw new EngineException(
          String.format(
              "malformed message from rank %d: expected %s %s, found %d",
              from, what, least == most ? least : least + " to " + most, found));
    }
  }
}
