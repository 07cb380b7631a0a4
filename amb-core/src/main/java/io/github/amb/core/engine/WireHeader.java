package io.github.amb.core.engine;

import java.nio.ByteBuffer;

/**
 * The first bytes of everything that engines send between processes: the version of the format, and
 * all of a {@link Message} but its payload. What an engine adds, and the payload, follow. In the
 * byte order of the buffers, which must be that of both ranks.
 */
public final class WireHeader {
  /** Length in bytes. */
  public static final int BYTES = 64 + Message.MAX_STATS * Double.BYTES;

  /** "AMB" and the version of this format. */
  public static final int MAGIC = 0x414D4205;

  private static final int VERSION = 0xFF;
  private static final int MAGIC_AT = 0;
  private static final int OWN_AT = 4;
  private static final int KIND_AT = 8;
  private static final int LENGTH_AT = 12;
  private static final int STEP_AT = 16;
  private static final int EXAMPLES_AT = 24;
  private static final int COUNT_AT = 32;
  private static final int NUMBER_AT = 40;
  private static final int NON_FINITE_FROM_AT = 48;
  private static final int STATE_WANTED_AT = 56;
  private static final int STATS_AT = 64;
  private static final Message.Kind[] KINDS = Message.Kind.values();

  private WireHeader() {}

  /**
   * Writes the header of a message.
   *
   * @param header its first {@link #BYTES} bytes are overwritten
   * @param own any number, for the engine itself
   * @param message not modified
   */
  public static void put(ByteBuffer header, int own, Message message) {
    put(header, own, message.kind().ordinal(), message.length());
    putNumbers(header, message.step(), message.examples());
    header.putLong(COUNT_AT, message.count());
    header.putLong(NUMBER_AT, message.number());
    header.putLong(NON_FINITE_FROM_AT, message.nonFiniteFrom());
    header.putLong(STATE_WANTED_AT, message.isStateWanted() ? 1 : 0);
    for (int i = 0; i < Message.MAX_STATS; i++) {
      header.putDouble(STATS_AT + i * Double.BYTES, message.stat(i));
    }
  }

  /**
   * Writes the header of what is no message of the program.
   *
   * @param kind the ordinal of a kind, or a number of the engine
   * @param length number of floats
   */
  public static void put(ByteBuffer header, int own, int kind, int length) {
    header.putInt(MAGIC_AT, MAGIC);
    header.putInt(OWN_AT, own);
    header.putInt(KIND_AT, kind);
    header.putInt(LENGTH_AT, length);
  }

  /** Writes the step and the examples of a message, or other numbers in their place. */
  public static void putNumbers(ByteBuffer header, long step, long examples) {
    header.putLong(STEP_AT, step);
    header.putLong(EXAMPLES_AT, examples);
  }

  /**
   * Checks the version.
   *
   * @param from rank that sent the header, for the message
   * @throws MalformedMessageException if it is another one
   */
  public static void checkVersion(ByteBuffer header, int from) {
    int magic = header.getInt(MAGIC_AT);
    if (magic != MAGIC) {
      boolean amb = (magic ^ MAGIC) >>> Byte.SIZE == 0;
      throw new MalformedMessageException(
          from,
          "expected a header of version %d (%08x), found %s%08x"
              .formatted(
                  MAGIC & VERSION,
                  MAGIC,
                  amb ? "version %d, ".formatted(magic & VERSION) : "",
                  magic));
    }
  }

  /**
   * Checks that a header is of a message of the program.
   *
   * @param from rank that sent the header, for the message
   * @throws MalformedMessageException if its kind is unknown
   */
  public static void checkKind(ByteBuffer header, int from) {
    int kind = kind(header);
    if (kind < 0 || kind >= KINDS.length) {
      throw new MalformedMessageException(
          from, "expected kind 0 to %d, found %d".formatted(KINDS.length - 1, kind));
    }
  }

  /** The engine's own number. */
  public static int own(ByteBuffer header) {
    return header.getInt(OWN_AT);
  }

  /** The ordinal of the message's kind, or a number of the engine. */
  public static int kind(ByteBuffer header) {
    return header.getInt(KIND_AT);
  }

  /** Number of floats of the whole payload. */
  public static int length(ByteBuffer header) {
    return header.getInt(LENGTH_AT);
  }

  /** The message's step. */
  public static long step(ByteBuffer header) {
    return header.getLong(STEP_AT);
  }

  /** The message's number of examples. */
  public static long examples(ByteBuffer header) {
    return header.getLong(EXAMPLES_AT);
  }

  /**
   * Copies a message from its header, without payload.
   *
   * @param header has passed {@link #checkVersion} and {@link #checkKind}
   * @param message is overwritten
   * @param source rank that sent it
   */
  public static void copyTo(ByteBuffer header, Message message, int source) {
    message.reset(KINDS[kind(header)], step(header));
    message.source(source);
    message.examples(examples(header));
    message.count(header.getLong(COUNT_AT));
    message.number(header.getLong(NUMBER_AT));
    message.nonFiniteFrom((int) header.getLong(NON_FINITE_FROM_AT));
    message.stateWanted(header.getLong(STATE_WANTED_AT) != 0);
    for (int i = 0; i < Message.MAX_STATS; i++) {
      message.stat(i, header.getDouble(STATS_AT + i * Double.BYTES));
    }
  }
}
