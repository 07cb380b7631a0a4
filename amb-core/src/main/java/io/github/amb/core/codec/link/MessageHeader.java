package io.github.amb.core.codec.link;

import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The header of a message: magic number, format version, fingerprints of the codec and of the
 * layout (names and shapes of all blocks), step, lengths, and a CRC-32C of header and message.
 */
public final class MessageHeader {
  /** Length of a header in bytes. */
  public static final int BYTES = 36;

  /** Format version that this program writes and reads. */
  static final int VERSION = 3;

  private static final int MAGIC = 0x43424D41; // "AMBC"
  private static final int VERSION_AT = 4;
  private static final int CODEC_AT = 8;
  private static final int LAYOUT_AT = 12;
  private static final int STEP_AT = 16;
  private static final int BODY_AT = 24;
  private static final int STORED_AT = 28;
  private static final int CRC_AT = 32;

  private final int codec;
  private final int layout;
  private final CRC32C crc = new CRC32C();

  /**
   * @param codec the codec's text, as the user typed it
   * @param layout blocks of the vector
   */
  public MessageHeader(String codec, Layout layout) {
    this.codec = fingerprint(codec);
    this.layout = fingerprint(describe(layout));
  }

  private static String describe(Layout layout) {
    StringBuilder text = new StringBuilder();
    for (Block block : layout.blocks()) {
      text.append(block.kind()).append(' ').append(block).append('\n');
    }
    return text.toString();
  }

  private static int fingerprint(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  /**
   * Writes the header of a message.
   *
   * @param message starts with room for the header; modified
   * @param length bytes of the message, header included
   * @param body bytes of the encoded blocks before the wire stage
   */
  public void write(byte[] message, int length, long step, int body) {
    ByteSink.INT.set(message, 0, MAGIC);
    ByteSink.INT.set(message, VERSION_AT, VERSION);
    ByteSink.INT.set(message, CODEC_AT, codec);
    ByteSink.INT.set(message, LAYOUT_AT, layout);
    ByteSink.LONG.set(message, STEP_AT, step);
    ByteSink.INT.set(message, BODY_AT, body);
    ByteSink.INT.set(message, STORED_AT, length);
    ByteSink.INT.set(message, CRC_AT, checksum(message, length));
  }

  private int checksum(byte[] message, int length) {
    crc.reset();
    crc.update(message, 0, CRC_AT);
    crc.update(message, BYTES, length - BYTES);
    return (int) crc.getValue();
  }

  /**
   * Checks a header.
   *
   * @param available number of received bytes, up to three more than the message has
   * @return number of bytes of the message
   * @throws MalformedEncodingException if this is not a message of this codec, layout and step
   */
  int check(byte[] message, int available, long step) {
    if (available < BYTES) {
      throw new MalformedEncodingException(
          "expected a header of %d bytes, found %d".formatted(BYTES, available));
    }
    expect("magic number", MAGIC, getInt(message, 0));
    expect("format version", VERSION, getInt(message, VERSION_AT));
    int length = getInt(message, STORED_AT);
    if (length < BYTES || length > available || length <= available - Float.BYTES) {
      throw new MalformedEncodingException(
          "expected a length of %d bytes, found %d".formatted(available, length));
    }
    expect("checksum", checksum(message, length), getInt(message, CRC_AT));
    expect("codec", codec, getInt(message, CODEC_AT));
    expect("layout", layout, getInt(message, LAYOUT_AT));
    long found = (long) ByteSink.LONG.get(message, STEP_AT);
    if (found != step) {
      throw new MalformedEncodingException("expected step %d, found %d".formatted(step, found));
    }
    return length;
  }

  /** Whether the codec fingerprint of an unchecked message is this one's. */
  boolean isOfCodec(byte[] message, int available) {
    return available >= BYTES && getInt(message, CODEC_AT) == codec;
  }

  /** Bytes of the encoded blocks before the wire stage, from a checked header. */
  public static int body(byte[] message) {
    return getInt(message, BODY_AT);
  }

  /**
   * Checks that the blocks of a message without a wire stage end where the message does.
   *
   * @throws MalformedEncodingException if they do not
   */
  static void expectBody(byte[] message, int length) {
    if (body(message) != length - BYTES) {
      throw new MalformedEncodingException(
          "expected %d bytes of blocks, found %d".formatted(body(message), length - BYTES));
    }
  }

  private static int getInt(byte[] message, int at) {
    return (int) ByteSink.INT.get(message, at);
  }

  private static void expect(String what, int expected, int found) {
    if (expected != found) {
      throw new MalformedEncodingException(
          "expected %s %08x, found %08x".formatted(what, expected, found));
    }
  }
}
