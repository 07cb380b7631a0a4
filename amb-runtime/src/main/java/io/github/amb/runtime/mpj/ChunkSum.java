package io.github.amb.runtime.mpj;

import io.github.amb.core.engine.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The two checksums (CRC-32C) at the end of a chunk's header: of its floats, and of the header up
 * to there. TCP's own checksum misses one changed segment in 65,536, and does not protect bytes
 * before they are sent and after they are received. Used by one thread.
 */
final class ChunkSum {
  /** Length of both checksums in bytes. */
  static final int BYTES = 2 * Integer.BYTES;

  private static final int HEAD_AT = ChunkHeader.BYTES - Integer.BYTES;
  private static final int FLOATS_AT = ChunkHeader.BYTES - BYTES;

  private final CRC32C sum = new CRC32C();

  /** Writes the checksum of an empty payload. */
  static void putNoFloats(ByteBuffer chunk) {
    chunk.putInt(FLOATS_AT, 0);
  }

  /**
   * Writes the checksum of the chunk's first {@code count} floats; to be called before {@link
   * #sealHead}.
   */
  void sealFloats(ByteBuffer chunk, int count) {
    int end = ChunkHeader.BYTES + Float.BYTES * count;
    chunk.putInt(FLOATS_AT, of(chunk, ChunkHeader.BYTES, end));
  }

  /** Writes the checksum of the header, which must not change afterwards. */
  void sealHead(ByteBuffer chunk) {
    chunk.putInt(HEAD_AT, of(chunk, 0, HEAD_AT));
  }

  /**
   * Checks both checksums.
   *
   * @param chunk header and floats
   * @param bytes length of header and floats
   * @param from rank that sent them
   * @throws MalformedMessageException if one does not match
   */
  void check(ByteBuffer chunk, int bytes, int from) {
    check("head", chunk.getInt(HEAD_AT), of(chunk, 0, HEAD_AT), from);
    check("floats", chunk.getInt(FLOATS_AT), of(chunk, ChunkHeader.BYTES, bytes), from);
  }

  private static void check(String what, int expected, int found, int from) {
    if (expected != found) {
      throw new MalformedMessageException(
          from,
          "expected the chunk's %s to have the checksum %08x, found %08x"
              .formatted(what, expected, found));
    }
  }

  private int of(ByteBuffer chunk, int start, int end) {
    sum.reset();
    sum.update(chunk.limit(end).position(start));
    chunk.clear();
    return (int) sum.getValue();
  }
}
