package io.github.amb.runtime.net;

import io.github.amb.runtime.mpj.Seal;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The frames of one direction of a connection. A frame is a magic number with the version of the
 * format, the length of the content, and the content, encrypted and with a code ({@link Seal}). A
 * frame that was changed, omitted, repeated, or sent elsewhere is rejected.
 */
final class Frames {
  /** Bytes before the content. */
  static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** Bytes after the content. */
  static final int CODE_BYTES = Seal.sealedBytes(0);

  /** "AMF" and the version of this format. */
  static final int MAGIC = 0x414D4602;

  private final Seal seal;
  private long count;

  /**
   * @param key 32 bytes, of this direction of this connection alone
   */
  Frames(byte[] key) {
    seal = new Seal(key);
  }

  /** Frames before there is a key: anybody can read them and compute their code. */
  static Frames unproven() {
    return new Frames(new byte[32]);
  }

  /** The next frame. */
  ByteBuffer frame(byte[] content) {
    int sealed = Seal.sealedBytes(content.length);
    ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + sealed).putInt(MAGIC).putInt(sealed);
    seal.seal(ByteBuffer.wrap(content), content.length, frame.slice());
    return frame.clear();
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
    if (length < CODE_BYTES || length > Seal.sealedBytes(limit)) {
      throw new MalformedFrameException(
          "expected a frame of %d to %d bytes, found %d"
              .formatted(CODE_BYTES, Seal.sealedBytes(limit), length));
    }
    return length;
  }

  /**
   * The content of the next frame.
   *
   * @param following the bytes after the head; modified
   * @param of whose code it is, for the message
   * @throws MalformedFrameException if the code is wrong
   */
  byte[] open(byte[] following, String of) throws MalformedFrameException {
    count++;
    int length = seal.open(ByteBuffer.wrap(following), following.length);
    if (length < 0) {
      throw new MalformedFrameException(
          "expected %s's code of frame %d of this connection, found another".formatted(of, count));
    }
    return Arrays.copyOf(following, length);
  }
}
