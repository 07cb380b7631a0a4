package io.github.amb.models.data.example;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.source.DataFile;
import io.github.amb.models.data.source.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/**
 * Uncompressed files, which all processes of a host can map.
 *
 * <p>A gzip file is decoded once, to the {@link CacheDirectory}, under the SHA-256 of its content.
 * Its header is read first. It states the length of the content, and no more than that is decoded.
 */
public final class DecodedFile {
  private static final int TRAILER = 2 * Integer.BYTES;

  private DecodedFile() {}

  /** Reads the header of a file. */
  public interface Look {
    /**
     * Length of the whole content, as its first bytes say.
     *
     * @param in at the beginning of the content
     * @throws UsageException if they are not what they should be
     */
    long length(DataFile in);
  }

  /**
   * Returns the file itself if it is plain, otherwise its decoded copy.
   *
   * @return the file itself also if the cache cannot be written
   * @throws UsageException if it is not a gzip file of the length that its header states
   */
  public static Path of(Path file, Look look) {
    try {
      return isGzip(file) ? of(file, CacheDirectory.usual(), look) : file;
    } catch (IOException noCache) {
      return file;
    }
  }

  static Path of(Path file, Path cache, Look look) {
    if (!isGzip(file)) {
      return file;
    }
    long length = length(file, look);
    try {
      Path decoded = cache.resolve(Sha256.of(file));
      if (!isWhole(decoded, length, file)) {
        CacheDirectory.put(decoded, channel -> decode(file, length, channel));
      }
      return decoded;
    } catch (IOException noCache) {
      return file;
    }
  }

  private static long length(Path file, Look look) {
    try (DataFile in = DataFile.open(file)) {
      long length = look.length(in);
      in.expectAtLeast(length - in.offset(), "content");
      return length;
    }
  }

  /** Whether a file starts with the magic number of gzip; false if it cannot be read. */
  public static boolean isGzip(Path file) {
    try (InputStream in = BoundedFile.open(file)) {
      return in.read() == 0x1f && in.read() == 0x8b;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a copy is readable and has the length and CRC-32 from the end of the gzip file. */
  private static boolean isWhole(Path decoded, long length, Path file) throws IOException {
    if (!SharedPlace.isTrusted(decoded)
        || !Files.isRegularFile(decoded)
        || !Files.isReadable(decoded)
        || Files.size(decoded) != length) {
      return false;
    }
    ByteBuffer end = ByteBuffer.allocate(TRAILER).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.read(end, channel.size() - TRAILER);
    }
    CRC32 found = new CRC32();
    FileChecksum.update(found, decoded, length);
    return (int) found.getValue() == end.getInt(0) && (int) length == end.getInt(Integer.BYTES);
  }

  private static void decode(Path file, long length, FileChannel target) throws IOException {
    try (DataFile in = DataFile.open(file)) {
      in.copy(length, "content", Channels.newOutputStream(target));
      in.expectEnd("content");
    }
  }

  /**
   * Maps a plain file, sharing memory with other processes that map it.
   *
   * @throws UsageException if it cannot be read
   */
  public static ByteBuffer map(Path file) {
    try {
      return MappedFiles.map(file);
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }
}
