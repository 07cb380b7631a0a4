package io.github.amb.models.data.example;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Maps files into memory that all processes of a host share. If a mapped file is truncated, Java
 * fails wherever it is read, with an error that does not have the file's name.
 */
public final class MappedFiles {
  private static final Map<Path, Long> LENGTHS = new ConcurrentHashMap<>();

  private MappedFiles() {}

  /**
   * Maps a whole file.
   *
   * @throws UsageException if it cannot be read
   */
  public static ByteBuffer map(Path file) {
    try (FileChannel channel =
        FileChannel.open(BoundedFile.expectFile(file), StandardOpenOption.READ)) {
      return map(file, channel, 0, channel.size());
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }

  /**
   * Maps a part of a file.
   *
   * @param channel open on {@code file}
   * @param start offset of the first byte
   * @param bytes number of bytes
   */
  static ByteBuffer map(Path file, FileChannel channel, long start, long bytes) throws IOException {
    ByteBuffer part = channel.map(FileChannel.MapMode.READ_ONLY, start, bytes);
    LENGTHS.merge(file.toAbsolutePath(), start + bytes, Math::max);
    return part;
  }

  /**
   * A message about mapped files that were truncated, with expected and found lengths; empty if
   * there are none.
   */
  public static String shortened() {
    return LENGTHS.entrySet().stream()
        .filter(file -> length(file.getKey()) < file.getValue())
        .map(
            file ->
                "%s has become shorter while it was read: expected %d bytes, found %d"
                    .formatted(file.getKey(), file.getValue(), length(file.getKey())))
        .sorted()
        .collect(Collectors.joining("; "));
  }

  /** Length of a file; a file that was removed or replaced stays readable in memory. */
  private static long length(Path file) {
    return Reading.orElse(Long.MAX_VALUE, () -> Files.size(file));
  }
}
