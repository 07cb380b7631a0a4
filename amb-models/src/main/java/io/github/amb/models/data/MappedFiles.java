package io.github.amb.models.data;

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
 * Files in memory that all processes of a host share. Where one has become shorter, Java fails
 * wherever it is read, with an error that names no file.
 */
public final class MappedFiles {
  private static final Map<Path, Long> LENGTHS = new ConcurrentHashMap<>();

  private MappedFiles() {}

  /** The whole of a file. */
  static ByteBuffer map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return map(file, channel, 0, channel.size());
    }
  }

  /**
   * A part of a file.
   *
   * @param channel open on {@code file}
   */
  static ByteBuffer map(Path file, FileChannel channel, long start, long bytes) throws IOException {
    ByteBuffer part = channel.map(FileChannel.MapMode.READ_ONLY, start, bytes);
    LENGTHS.merge(file.toAbsolutePath(), start + bytes, Math::max);
    return part;
  }

  /** The files that have become shorter, each with what was expected and found; else empty. */
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

  /** One that was removed or replaced is still there for who has mapped it. */
  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
