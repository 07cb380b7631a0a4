package io.github.amb.models.data.user;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Lines of a text file in UTF-8, plain or gzip, with or without a byte order mark. */
final class TextLines implements Closeable {
  private static final int BUFFER = 1 << 16;
  private static final int BYTE_ORDER_MARK = 0xfeff;
  private static final int SWAPPED_MARK = 0xfffe;

  /** Half a character, in place of bytes that are not UTF-8; UTF-8 never has it alone. */
  private static final char MALFORMED = '\udc00';

  private final Path file;
  private final Reader reader;
  private final char[] buffer = new char[BUFFER];
  private int next;
  private int end;
  private int number;
  private boolean afterReturn;

  /**
   * Opens a file.
   *
   * @param compressed whether it is gzip
   * @throws UsageException if it is in UTF-16
   * @throws IOException if it cannot be read
   */
  TextLines(Path file, boolean compressed) throws IOException {
    this.file = file;
    InputStream raw = BoundedFile.open(file);
    try {
      InputStream in = compressed ? new GZIPInputStream(raw, BUFFER) : raw;
      reader =
          new InputStreamReader(
              decodable(in),
              StandardCharsets.UTF_8
                  .newDecoder()
                  .onMalformedInput(CodingErrorAction.REPLACE)
                  .replaceWith(String.valueOf(MALFORMED)));
      int first = read();
      if (first >= 0 && first != BYTE_ORDER_MARK) {
        next--;
      }
    } catch (Throwable e) {
      raw.close();
      throw e;
    }
  }

  private InputStream decodable(InputStream in) throws IOException {
    PushbackInputStream ahead = new PushbackInputStream(in, 2);
    byte[] first = ahead.readNBytes(2);
    int mark = first.length < 2 ? 0 : (first[0] & 0xff) << 8 | first[1] & 0xff;
    if (mark == BYTE_ORDER_MARK || mark == SWAPPED_MARK) {
      throw new UsageException(
          "%s: expected text in UTF-8, found the byte order mark of UTF-16: save it in UTF-8"
              .formatted(file));
    }
    ahead.unread(first);
    return ahead;
  }

  /**
   * The next line without its end, or null if there is none. A line ends with a line feed, a
   * carriage return or both.
   *
   * @throws UsageException if it is longer than {@link DataLimits#CSV_LINE_CHARACTERS}, or not in
   *     UTF-8
   */
  String next() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = read();
    if (afterReturn && c == '\n') {
      c = read();
    }
    if (c < 0) {
      return null;
    }
    number++;
    char last = 0;
    for (; c >= 0 && c != '\n' && c != '\r'; c = read()) {
      if (line.length() == DataLimits.CSV_LINE_CHARACTERS) {
        throw new UsageException(
            "%s: line %d: expected at most %d characters, found more"
                .formatted(file, number, DataLimits.CSV_LINE_CHARACTERS));
      }
      if (c == MALFORMED && !Character.isHighSurrogate(last)) {
        throw new UsageException(
            "%s: line %d: expected text in UTF-8, found other bytes: save it in UTF-8"
                .formatted(file, number));
      }
      last = (char) c;
      line.append(last);
    }
    afterReturn = c == '\r';
    return line.toString();
  }

  private int read() throws IOException {
    if (next == end) {
      next = 0;
      end = Math.max(0, reader.read(buffer));
    }
    return end == 0 ? -1 : buffer[next++];
  }

  /** Number of the last line read, from 1. */
  int number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
