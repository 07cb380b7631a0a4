package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;

/**
 * Files without their compression, so that all processes of a host can map them.
 *
 * <p>A gzip file is decoded once, to the {@link CacheDirectory}, named by the SHA-256 of its
 * content.
 */
final class DecodedFile {
  private DecodedFile() {}

  /**
   * The file itself if it is plain, otherwise its decoded copy.
   *
   * @return the file itself, too, if it cannot be decoded or the cache cannot be written: who reads
   *     it will say what is wrong with it
   */
  static Path of(Path file) {
    try {
      return isGzip(file) ? of(file, CacheDirectory.usual()) : file;
    } catch (IOException e) {
      return file;
    }
  }

  static Path of(Path file, Path cache) {
    if (!isGzip(file)) {
      return file;
    }
    try {
      Path decoded = cache.resolve(Sha256.of(file));
      if (!isWhole(decoded, file)) {
        CacheDirectory.put(decoded, channel -> decode(file, channel));
      }
      return decoded;
    } catch (IOException e) {
      return file;
    }
  }

  /** Whether a file begins as gzip does; false if it cannot be read. */
  static boolean isGzip(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 0x1f && in.read() == 0x8b;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a copy can be read and is as long as the end of the gzip file says, modulo 2^32. */
  private static boolean isWhole(Path decoded, Path file) throws IOException {
    if (!Files.isRegularFile(decoded) || !Files.isReadable(decoded)) {
      return false;
    }
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.read(length, channel.size() - Integer.BYTES);
    }
    return (int) Files.size(decoded) == length.getInt(0);
  }

  private static void decode(Path file, FileChannel target) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16)) {
      in.transferTo(Channels.newOutputStream(target));
    }
  }

  /**
   * The content of a plain file, shared with other processes that map it.
   *
   * @throws UsageException if it cannot be read
   */
  static ByteBuffer map(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s".formatted(file, e));
    }
  }
}
