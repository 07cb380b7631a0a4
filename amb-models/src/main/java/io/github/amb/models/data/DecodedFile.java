package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;

/**
 * Files without their compression, so that all processes of a host can map them.
 *
 * <p>A gzip file is decoded once, to a cache in {@code AMB_CACHE_DIR}, else {@code ~/.cache/amb},
 * named by the SHA-256 of its content. The cache may be deleted at any time.
 */
final class DecodedFile {
  private static final String DIRECTORY = "AMB_CACHE_DIR";

  private DecodedFile() {}

  /**
   * The file itself if it is plain, otherwise its decoded copy.
   *
   * @return the file itself, too, if it cannot be decoded or the cache cannot be written: who reads
   *     it will say what is wrong with it
   */
  static Path of(Path file) {
    return of(file, cache());
  }

  static Path of(Path file, Path cache) {
    if (!isGzip(file)) {
      return file;
    }
    try {
      Path decoded = cache.resolve(Sha256.of(file));
      if (!Files.isRegularFile(decoded)) {
        Files.createDirectories(cache);
        decode(file, decoded);
      }
      return decoded;
    } catch (IOException e) {
      return file;
    }
  }

  private static Path cache() {
    String chosen = System.getenv(DIRECTORY);
    return chosen == null
        ? Path.of(System.getProperty("user.home"), ".cache", "amb")
        : Path.of(chosen);
  }

  /** Whether a file begins as gzip does; false if it cannot be read. */
  static boolean isGzip(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 0x1f && in.read() == 0x8b;
    } catch (IOException e) {
      return false;
    }
  }

  /** Several processes may decode at once; each moves a whole file into place. */
  private static void decode(Path file, Path target) throws IOException {
    Path part = Files.createTempFile(target.getParent(), "decoding", null);
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16)) {
      Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
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
