package io.github.amb.models.data.source;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Closing;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.option.UsageException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a binary file, plain or gzip, from start to end.
 *
 * <p>Never allocates more than a small multiple of the file's own size, whatever its headers say.
 * Every error has the file, the offset in its uncompressed content, what was expected and what was
 * found.
 */
public final class DataFile implements AutoCloseable {
  /** Maximum compression ratio of Deflate. */
  private static final long MAX_RATIO = 1032;

  private static final int TYPICAL_RATIO = 8;
  private static final int BUFFER = 1 << 14;

  private final Path file;
  private final long size;
  private final boolean compressed;
  private final InputStream in;
  private long offset;

  private DataFile(Path file, long size, boolean compressed, InputStream in) {
    this.file = file;
    this.size = size;
    this.compressed = compressed;
    this.in = in;
  }

  /**
   * Opens a file; gzip is recognized by its first two bytes.
   *
   * @throws UsageException if it cannot be read
   */
  public static DataFile open(Path file) {
    InputStream raw = null;
    try {
      raw = new BufferedInputStream(BoundedFile.open(file), BUFFER);
      raw.mark(2);
      boolean compressed = isGzip(raw);
      raw.reset();
      InputStream in = compressed ? new GZIPInputStream(raw, BUFFER) : raw;
      return new DataFile(file, Files.size(file), compressed, in);
    } catch (IOException e) {
      Closing.quietly(raw);
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }

  /** Whether a file starts with the magic number of gzip; false if it cannot be read. */
  public static boolean isGzip(Path file) {
    try (InputStream in = BoundedFile.open(file)) {
      return isGzip(in);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isGzip(InputStream in) throws IOException {
    return in.read() == 0x1f && in.read() == 0x8b;
  }

  /** Number of uncompressed bytes read so far. */
  public long offset() {
    return offset;
  }

  /**
   * Reads a big-endian 32-bit integer.
   *
   * @param what the meaning of the integer, for the message
   * @throws UsageException if the file has fewer bytes
   */
  public int readInt(String what) {
    return ByteBuffer.wrap(read(Integer.BYTES, what)).getInt();
  }

  /**
   * Reads exactly {@code length} bytes.
   *
   * @param what the meaning of the bytes, for the message
   * @throws UsageException if the file has fewer
   */
  public byte[] read(long length, String what) {
    expectAtLeast(length, what);
    BoundedFile.requireMemory(file.toString(), length);
    byte[] bytes = new byte[initialCapacity(length)];
    int filled = 0;
    while (filled < length) {
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int count = readSome(bytes, filled, bytes.length);
      if (count < 0) {
        throw error(offset, length + " bytes of " + what, filled + " bytes: the file is truncated");
      }
      filled += count;
    }
    offset += length;
    return bytes;
  }

  /**
   * Checks that the file can have {@code length} more bytes.
   *
   * @param what the meaning of the bytes, for the message
   * @throws UsageException if it is too small
   */
  public void expectAtLeast(long length, String what) {
    long possible = compressed ? size * MAX_RATIO : size;
    if (length > possible - offset) {
      throw error(offset, length + " bytes of " + what, describeRest(possible - offset));
    }
  }

  private String describeRest(long rest) {
    return compressed
        ? "a gzip file of " + size + " bytes, too small to hold them"
        : rest + " bytes: the file is truncated";
  }

  /** {@code length}, if the file may have as many bytes; otherwise less. */
  private int initialCapacity(long length) {
    return (int) Math.min(length, compressed ? Math.max(BUFFER, size * TYPICAL_RATIO) : length);
  }

  private int readSome(byte[] target, int start, int end) {
    try {
      return in.read(target, start, end - start);
    } catch (EOFException | ZipException e) {
      throw error(offset + start, "gzip data", "corrupt gzip data (" + e.getMessage() + ")");
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }

  /**
   * Checks that the file ends here.
   *
   * @param what the meaning of the bytes before the end, for the message
   * @throws UsageException if it has more bytes
   */
  public void expectEnd(String what) {
    if (readSome(new byte[1], 0, 1) >= 0) {
      throw error(offset, "the end of the file after " + what, "more bytes");
    }
  }

  /** An error about this file. */
  public UsageException error(long at, String expected, String found) {
    return new UsageException("%s: offset %d: expected %s, found %s", file, at, expected, found);
  }

  @Override
  public void close() {
    Closing.quietly(in);
  }
}
