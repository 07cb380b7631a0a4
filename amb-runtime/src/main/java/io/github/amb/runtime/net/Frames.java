package io.github.amb.runtime.net;

import io.github.amb.runtime.mpj.RunSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * The frames of one direction of a connection. A frame is a magic number with the version of the
 * format, the length of the content, the content, and an HMAC-SHA256 of it and of the frame's place
 * in its direction. A frame that was changed, omitted, repeated, or sent elsewhere is rejected.
 */
final class Frames {
  /** Bytes before the content. */
  static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** Bytes after the content. */
  static final int CODE_BYTES = 32;

  /** "AMF" and the version of this format. */
  static final int MAGIC = 0x414D4601;

  private final Mac mac;
  private long count;

  /**
   * @param key of this direction of this connection alone
   */
  Frames(byte[] key) {
    mac = RunSecret.hmac(key);
  }

  /** Frames before there is a key: their code is a checksum, which anybody can compute. */
  static Frames unproven() {
    return new Frames("checksum".getBytes(StandardCharsets.US_ASCII));
  }

  /** The next frame. */
  ByteBuffer frame(byte[] content) {
    ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + content.length + CODE_BYTES);
    return frame.putInt(MAGIC).putInt(content.length).put(content).put(code(content)).flip();
  }

  /**
   * Reads the head of a frame.
   *
   * @param limit maximum length of the content
   * @return number of bytes that follow
   * @throws MalformedFrameException if it is of another protocol, or if the length is not valid
   */
  static int following(ByteBuffer head, int limit) throws MalformedFrameException {
    int magic = head.getInt();
    int length = head.getInt();
    if (magic != MAGIC) {
      throw new MalformedFrameException(
          "expected a frame that begins with %08x, found %08x".formatted(MAGIC, magic));
    }
    if (length < 0 || length > limit) {
      throw new MalformedFrameException(
          "expected a frame of 0 to %d bytes, found %d".formatted(limit, length));
    }
    return length + CODE_BYTES;
  }

  /**
   * The content of the next frame.
   *
   * @param following the bytes after the head; not modified
   * @param of whose code it is, for the message
   * @throws MalformedFrameException if the code is wrong
   */
  byte[] open(byte[] following, String of) throws MalformedFrameException {
    byte[] content = Arrays.copyOf(following, following.length - CODE_BYTES);
    byte[] found = Arrays.copyOfRange(following, content.length, following.length);
    if (!MessageDigest.isEqual(code(content), found)) {
      throw new MalformedFrameException(
          "expected %s's code of frame %d of this connection, found another".formatted(of, count));
    }
    return content;
  }

  private byte[] code(byte[] content) {
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(++count).flip());
    return mac.doFinal(content);
  }
}
