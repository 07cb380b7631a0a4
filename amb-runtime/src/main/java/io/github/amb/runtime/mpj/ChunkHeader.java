package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.WireHeader;
import java.nio.ByteBuffer;

/**
 * The header of every message between engines, {@value #BYTES} bytes in native byte order; the
 * chunk's floats follow. It begins with a {@link WireHeader}, whose own number is the sender's
 * rank, and ends with the checksums of {@link ChunkSum}.
 *
 * <p>A message of the program travels as one or more chunks, whose headers differ only in {@link
 * #offset} and {@link #count}; all chunks but the first may have any length. A message whose floats
 * are in a {@link #slot} of the sender's {@link SharedSegment} travels as a header alone.
 */
final class ChunkHeader {
  /** Length of the header in bytes. */
  static final int BYTES = WireHeader.BYTES + 24 + ChunkSum.BYTES;

  /** Kind of a chunk that only acknowledges. */
  static final int ACKNOWLEDGEMENT = 100;

  /** Kind of the last chunk of a rank that leaves in order. */
  static final int GOODBYE = 101;

  /**
   * Kind of a chunk that announces the sender's {@link SharedSegment}: its process as the number of
   * examples, its number as the step, the floats in a slot as {@link #length}.
   */
  static final int OFFER = 102;

  /** Slot number of a message whose floats travel in chunks. */
  static final int NO_SLOT = -1;

  private static final int OFFSET_AT = WireHeader.BYTES;
  private static final int COUNT_AT = OFFSET_AT + 4;
  private static final int CONSUMED_AT = OFFSET_AT + 8;
  private static final int SLOT_AT = OFFSET_AT + 16;
  private static final int ANSWER_AT = OFFSET_AT + 20;
  private static final SegmentAnswer[] ANSWERS = SegmentAnswer.values();

  /** Ordinal of a {@link Message.Kind}, or one of the kinds above. */
  int kind;

  /** Number of floats in the whole message. */
  int length;

  /** Index in the message of the chunk's first float. */
  int offset;

  /** Number of floats in the chunk. */
  int count;

  /** How many of the receiver's messages the sender has consumed so far. */
  long consumed;

  /** Slot of the sender's shared-memory segment with the message's floats, or {@link #NO_SLOT}. */
  int slot;

  /** The sender's answer to the receiver's announcement of a segment. */
  SegmentAnswer answer;

  /** Writes the part of the header that all chunks of {@code message} have in common. */
  static void put(ByteBuffer chunk, int source, Message message) {
    WireHeader.put(chunk, source, message);
    putNoFloats(chunk);
  }

  /** Writes the header of a chunk without payload. */
  static void put(ByteBuffer chunk, int source, int kind) {
    WireHeader.put(chunk, source, kind, 0);
    putNoFloats(chunk);
  }

  private static void putNoFloats(ByteBuffer chunk) {
    putPart(chunk, 0, 0);
    putSlot(chunk, NO_SLOT);
    ChunkSum.putNoFloats(chunk);
  }

  /** Writes the header of a chunk that announces a segment. */
  static void putOffer(ByteBuffer chunk, int source, long pid, SharedSegment segment) {
    WireHeader.put(chunk, source, OFFER, segment.capacity);
    WireHeader.putNumbers(chunk, segment.id, pid);
    putNoFloats(chunk);
  }

  /** Writes which part of the message the chunk is. */
  static void putPart(ByteBuffer chunk, int offset, int count) {
    chunk.putInt(OFFSET_AT, offset);
    chunk.putInt(COUNT_AT, count);
  }

  /** Writes in which slot the message's floats are. */
  static void putSlot(ByteBuffer chunk, int slot) {
    chunk.putInt(SLOT_AT, slot);
  }

  /** Writes the part of the header that depends on the receiver. */
  static void putReceiver(ByteBuffer chunk, long consumed, SegmentAnswer answer) {
    chunk.putLong(CONSUMED_AT, consumed);
    chunk.putInt(ANSWER_AT, answer.ordinal());
  }

  /**
   * Reads and checks a header.
   *
   * @param chunk header and floats, in native byte order
   * @param bytes length of header and floats
   * @param from rank that sent it
   * @param limit maximum number of floats in a message
   * @throws MalformedMessageException if a field is out of range; nothing has been allocated by
   *     then
   */
  void get(ByteBuffer chunk, int bytes, int from, int limit) {
    check("length in bytes", BYTES, Integer.MAX_VALUE, bytes, from);
    WireHeader.checkVersion(chunk, from);
    check("source", from, from, WireHeader.own(chunk), from);
    kind = WireHeader.kind(chunk);
    if (kind != ACKNOWLEDGEMENT && kind != GOODBYE && kind != OFFER) {
      WireHeader.checkKind(chunk, from);
    }
    length = WireHeader.length(chunk);
    check("number of floats", 0, limit, length, from);
    offset = chunk.getInt(OFFSET_AT);
    check("offset of the chunk", 0, length, offset, from);
    count = chunk.getInt(COUNT_AT);
    slot = chunk.getInt(SLOT_AT);
    check("slot", NO_SLOT, SlotCounters.SLOTS - 1, slot, from);
    boolean elsewhere = slot != NO_SLOT || kind == OFFER;
    int most = elsewhere ? 0 : length - offset;
    check("floats in the chunk", Math.min(1, most), most, count, from);
    int said = chunk.getInt(ANSWER_AT);
    check("answer", 0, ANSWERS.length - 1, said, from);
    answer = ANSWERS[said];
    long whole = BYTES + (long) Float.BYTES * count;
    check("length in bytes", whole, whole, bytes, from);
    consumed = chunk.getLong(CONSUMED_AT);
  }

  private static void check(String what, long least, long most, long found, int from) {
    if (found < least || found > most) {
      throw new MalformedMessageException(
          from,
          "expected %s %s, found %d"
              .formatted(what, least == most ? least : least + " to " + most, found));
    }
  }
}
