package io.github.amb.core.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Reads what is added to a log while it is written. Not safe for use by several threads. */
public final class LogFollower {
  private static final ObjectReader RECORDS = RunDirectory.JSON.readerFor(LogRecord.class);

  /** Bytes read at once; more than the longest line. */
  private static final int PIECE = 4 * DataLimits.LOG_LINE_BYTES;

  private final Path file;
  private long position;
  private long lines;
  private Object key;

  /**
   * @param file the log, which need not exist yet
   */
  public LogFollower(Path file) {
    this.file = file;
  }

  /** Bytes read so far. */
  public long position() {
    return position;
  }

  /**
   * Whether the log is no longer the one that has been read, as a resumed run has cut it: another
   * file is in its place, or it is shorter. A system without file keys shows only the latter.
   */
  public boolean isCut() throws IOException {
    return position > 0
        && (!Files.exists(file) || Files.size(file) < position || !Objects.equals(key, key()));
  }

  /** What distinguishes the file from others, by any name; null if the system cannot tell. */
  private Object key() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /**
   * Reads the next records, of at most four megabytes. A line without an end is read when it has
   * one.
   *
   * @return the records in the order written; empty if there are no more now
   * @throws UsageException if a line exceeds its limit
   * @throws IOException if a line is not a record; the message names file and line
   */
  public List<LogRecord> next() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    if (position == 0) {
      key = key();
    }
    byte[] piece = piece();
    LogReader.expectShortLines(file, lines + 1, new ByteArrayInputStream(piece));
    int end = end(piece);
    List<LogRecord> records = records(piece, end);
    position += end;
    lines += records.size();
    return records;
  }

  /** Length of the complete lines. */
  private static int end(byte[] text) {
    int end = text.length;
    while (end > 0 && text[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /** One parser for all lines takes half the time of one per line. */
  private List<LogRecord> records(byte[] text, int end) throws IOException {
    List<LogRecord> records = new ArrayList<>();
    try (JsonParser parser = RunDirectory.JSON.createParser(text, 0, end)) {
      MappingIterator<LogRecord> values = RECORDS.readValues(parser);
      while (values.hasNextValue()
          && parser.currentTokenLocation().getLineNr() == records.size() + 1) {
        records.add(values.nextValue());
      }
    } catch (JsonProcessingException e) {
      records.clear(); // Line by line, the first that is wrong is named.
    }
    long count = IntStream.range(0, end).filter(i -> text[i] == '\n').count();
    return records.size() == count && !records.contains(null) ? records : byLine(text, end);
  }

  private List<LogRecord> byLine(byte[] text, int end) throws IOException {
    List<LogRecord> records = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < end; i++) {
      if (text[i] == '\n') {
        records.add(record(text, start, i - start, lines + records.size() + 1));
        start = i + 1;
      }
    }
    return records;
  }

  private byte[] piece() throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(BoundedFile.expectFile(file))) {
      long rest = Math.max(0, channel.size() - position);
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(PIECE, rest));
      channel.position(position);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Read on.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  private LogRecord record(byte[] text, int start, int length, long line) throws IOException {
    String problem = "";
    try {
      LogRecord record = RECORDS.readValue(text, start, length);
      if (record != null) {
        return record;
      }
    } catch (JsonProcessingException e) {
      problem = " (" + e.getOriginalMessage() + ")";
    }
    String found = new String(text, start, length, StandardCharsets.UTF_8);
    throw new IOException(
        "%s line %d: expected a log record, found %s"
            .formatted(file, line, Printable.shown(found) + Printable.printable(problem)));
  }
}
