package io.github.amb.core.record;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads a log with one record per line. */
final class LogReader {
  private static final int PIECE = 1 << 16;

  private LogReader() {}

  /**
   * Reads all records, a few megabytes at a time, whatever the length of the log. An incomplete
   * last line, left by a crash, is ignored.
   *
   * @throws UsageException if a line exceeds its limit
   * @throws IOException if any other line is not a record; the message names file and line
   */
  static void read(Path file, Consumer<LogRecord> sink) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    LogFollower log = new LogFollower(file);
    for (List<LogRecord> next = log.next(); !next.isEmpty(); next = log.next()) {
      next.forEach(sink);
    }
  }

  /**
   * The records of a log, in memory.
   *
   * @throws UsageException if the log exceeds its limit, or a line of it
   * @throws IOException as {@link #read(Path, Consumer)}
   */
  static List<LogRecord> read(Path file) throws IOException {
    BoundedFile.expectSize(file, "a log to be held in memory", DataLimits.LOG_BYTES);
    List<LogRecord> records = new ArrayList<>();
    read(file, records::add);
    return records;
  }

  /**
   * Checks the length of all lines, with little memory.
   *
   * @param line number of the first line, from 1
   * @throws UsageException if a line exceeds its limit; the message names file and line
   */
  static void expectShortLines(Path file, long line, InputStream text) throws IOException {
    byte[] piece = new byte[PIECE];
    long number = line;
    int length = 0;
    for (int count = text.read(piece); count >= 0; count = text.read(piece)) {
      for (int i = 0; i < count; i++) {
        boolean ends = piece[i] == '\n';
        number += ends ? 1 : 0;
        length = ends ? 0 : length + 1;
        if (length > DataLimits.LOG_LINE_BYTES) {
          throw new UsageException(
              "%s line %d: expected a log record of at most %d bytes, found more",
              file, number, DataLimits.LOG_LINE_BYTES);
        }
      }
    }
  }
}
