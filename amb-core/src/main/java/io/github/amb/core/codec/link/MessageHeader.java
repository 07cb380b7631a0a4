package io.github.amb.core.codec.link;

import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What a codec says before its bytes: fingerprints of the codec and of the layout (names and shapes
 * of all blocks), and lengths. Version, step and checksum are those of the message that carries it.
 */
public final class MessageHeader {
  /** Length of a header in bytes. */
  public static final int BYTES = 16;

  private static final int CODEC_AT = 0;
  private static final int LAYOUT_AT = 4;
  private static final int BODY_AT = 8;
  private static final int STORED_AT = 12;

  private final int codec;
  private final int layout;

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
  public void write(byte[] message, int length, int body) {
    ByteSink.INT.set(message, CODEC_AT, codec);
    ByteSink.INT.set(message, LAYOUT_AT, layout);
    ByteSink.INT.set(message, BODY_AT, body);
    ByteSink.INT.set(message, STORED_AT, length);
  }

  /**
   * Checks a header.
   *
   * @param available number of received bytes, up to three more than the message has
   * @return number of bytes of the message
   * @throws MalformedEncodingException if this is not a message of this codec and layout
   */
  int check(byte[] message, int available) {
    if (available < BYTES) {
      throw new MalformedEncodingException(
          "expected a header of %d bytes, found %d".formatted(BYTES, available));
    }
    expect("codec", codec, getInt(message, CODEC_AT));
    expect("layout", layout, getInt(message, LAYOUT_AT));
    int length = getInt(message, STORED_AT);
    if (length < BYTES || length > available || length <= available - Float.BYTES) {
      throw new MalformedEncodingException(
          "expected a length of %d bytes, found %d".formatted(available, length));
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
