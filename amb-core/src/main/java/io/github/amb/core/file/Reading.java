package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

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
   * What is read of a file that an option names.
   *
   * @param option with its dashes
   * @throws UsageException if it cannot be read; the failure says which file
   */
  static <T> T option(String option, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", option, FileFailure.text(e));
    }
  }

  /**
   * What only a fault of this program, or of the machine, can keep from being read.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  static <T> T certain(Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a file of the program, in UTF-8, as {@link #certain} reads it. */
  static String text(Reading<InputStream> file) {
    return certain(
        () -> {
          try (InputStream in = file.read()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
          }
        });
  }

  /** The properties in a file of the program; none if it has no such file. */
  static Properties properties(Reading<InputStream> file) {
    Properties properties = new Properties();
    return certain(
        () -> {
          try (InputStream in = file.read()) {
            if (in != null) {
              properties.load(in);
            }
            return properties;
          }
        });
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
