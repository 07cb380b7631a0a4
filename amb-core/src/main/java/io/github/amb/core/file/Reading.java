package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads a file, or asks the system.
 *
 * @param <T> what is read
 */
@FunctionalInterface
public interface Reading<T> {
  /** Reads. */
  T read() throws IOException;

  /** What is read; {@code otherwise} where it cannot be. */
  static <T> T orElse(T otherwise, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
      return otherwise;
    }
  }

  /**
   * What is read of a source.
   *
   * @param source a file, or what to name in its place
   * @throws UsageException if it cannot be read
   */
  static <T> T expect(Object source, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", source, FileFailure.reason(e));
    }
  }

  /**
   * What follows {@code start} in the first line that begins with it, stripped; empty if the file
   * has no such line, or cannot be read, as on another system.
   */
  static Optional<String> after(String start, Path file) {
    return orElse(List.<String>of(), () -> Files.readAllLines(file)).stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .findFirst();
  }
}
