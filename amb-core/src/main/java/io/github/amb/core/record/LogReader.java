package io.github.amb.core.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a log with one record per line. One parser for the whole file takes half the time of one
 * per line.
 */
final class LogReader {
  private static final ObjectReader RECORDS = RunDirectory.JSON.readerFor(LogRecord.class);

  private static final int MOST_SHOWN = 60;
  private static final int PIECE = 1 << 16;

  private final Path file;
  private final byte[] text;
  private final int length;
  private final List<LogRecord> records = new ArrayList<>();

  private LogReader(Path file, byte[] text) {
    this.file = file;
    this.text = text;
    length = end(text);
  }

  /** Length of the complete lines. */
  static int end(byte[] text) {
    int end = text.length;
    while (end > 0 && text[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /**
   * Reads all records. An incomplete last line, left by a crash, is ignored.
   *
   * @throws UsageException if the file or a line of it exceeds its limit
   * @throws IOException if any other line is not a record; the message names file and line
   */
  static List<LogRecord> read(Path file) throws IOException {
    LogReader reader = new LogReader(file, BoundedFile.read(file, "a log", DataLimits.LOG_BYTES));
    expectShortLines(file, new ByteArrayInputStream(reader.text, 0, reader.length));
    try (JsonParser parser = RunDirectory.JSON.createParser(reader.text, 0, reader.length)) {
      reader.read(parser);
    } catch (JsonProcessingException e) {
      String problem = reader.noRecord(reader.records.size() + 1);
      throw new IOException(problem + " (" + Printable.printable(e.getOriginalMessage()) + ")", e);
    }
    return reader.records;
  }

  /**
   * Checks the length of all lines, with little memory.
   *
   * @throws UsageException if a line exceeds its limit; the message names file and line
   */
  static void expectShortLines(Path file, InputStream text) throws IOException {
    byte[] piece = new byte[PIECE];
    long line = 1;
    int length = 0;
    for (int count = text.read(piece); count >= 0; count = text.read(piece)) {
      for (int i = 0; i < count; i++) {
        boolean ends = piece[i] == '\n';
        line += ends ? 1 : 0;
        length = ends ? 0 : length + 1;
        if (length > DataLimits.LOG_LINE_BYTES) {
          throw new UsageException(
              "%s line %d: expected a log record of at most %d bytes, found more"
                  .formatted(file, line, DataLimits.LOG_LINE_BYTES));
        }
      }
    }
  }

  private void read(JsonParser parser) throws IOException {
    MappingIterator<LogRecord> values = RECORDS.readValues(parser);
    while (values.hasNextValue()) {
      int expected = records.size() + 1;
      int line = parser.currentTokenLocation().getLineNr();
      if (parser.currentToken() != JsonToken.START_OBJECT || line != expected) {
        throw new IOException(noRecord(Math.min(line, expected)));
      }
      records.add(values.nextValue());
    }
    if (records.size() < lines(text, length)) {
      throw new IOException(noRecord(records.size() + 1));
    }
  }

  /** Number of lines that end among the first {@code length} bytes. */
  static int lines(byte[] text, int length) {
    int lines = 0;
    for (int i = 0; i < length; i++) {
      lines += text[i] == '\n' ? 1 : 0;
    }
    return lines;
  }

  private String noRecord(int line) {
    int start = 0;
    for (int i = 0, before = line - 1; before > 0 && i < length; i++) {
      if (text[i] == '\n') {
        before--;
        start = i + 1;
      }
    }
    int end = start;
    while (end < length && text[end] != '\n') {
      end++;
    }
    String found = new String(text, start, end - start, StandardCharsets.UTF_8);
    String some = found.length() > MOST_SHOWN ? found.substring(0, MOST_SHOWN) + "…" : found;
    String shown = Printable.printable(some);
    return "%s line %d: expected a log record, found %s".formatted(file, line, shown);
  }
}
