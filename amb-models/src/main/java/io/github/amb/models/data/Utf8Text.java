package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The characters of a text file in UTF-8, plain or gzip, without its byte order mark. */
final class Utf8Text extends Reader {
  private static final int BUFFER = 1 << 16;
  private static final int BYTE_ORDER_MARK = 0xfeff;
  private static final int SWAPPED_MARK = 0xfffe;

  /** Half a character, in place of bytes that are not UTF-8; UTF-8 never has it alone. */
  private static final char MALFORMED = '\udc00';

  private final Path file;
  private final Reader reader;
  private char last;
  private int line = 1;
  private int characters;
  private boolean started;

  /**
   * Opens a file.
   *
   * @param compressed whether it is gzip
   * @throws UsageException if it is in UTF-16
   * @throws IOException if it cannot be read
   */
  Utf8Text(Path file, boolean compressed) throws IOException {
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
    } catch (Throwable e) {
      raw.close();
      throw e;
    }
  }

  /** Receives the characters of a text, surrogates one by one. */
  interface Characters {
    void accept(char c);
  }

  /**
   * Passes all characters of a plain file, whose lines may have any length.
   *
   * @throws UsageException if it is not in UTF-8
   */
  static void forEach(Path file, Characters characters) throws IOException {
    char[] buffer = new char[BUFFER];
    try (Utf8Text text = new Utf8Text(file, false)) {
      for (int count = text.read(buffer); count >= 0; count = text.read(buffer)) {
        text.startRow();
        for (int i = 0; i < count; i++) {
          characters.accept(buffer[i]);
        }
      }
    }
  }

  private InputStream decodable(InputStream in) throws IOException {
    PushbackInputStream ahead = new PushbackInputStream(in, 2);
    byte[] first = ahead.readNBytes(2);
    int mark = first.length < 2 ? 0 : (first[0] & 0xff) << 8 | first[1] & 0xff;
    if (mark == BYTE_ORDER_MARK || mark == SWAPPED_MARK) {
      throw new UsageException(
          "%s: expected text in UTF-8, found the byte order mark of UTF-16: save it in UTF-8",
          file);
    }
    ahead.unread(first);
    return ahead;
  }

  /** Allows {@link DataLimits#CSV_LINE_CHARACTERS} characters from here on. */
  void startRow() {
    characters = 0;
  }

  /**
   * @throws UsageException if a row is too long, or bytes are not in UTF-8
   */
  @Override
  public int read(char[] target, int from, int length) throws IOException {
    int count = reader.read(target, from, length);
    if (!started && count > 0 && target[from] == BYTE_ORDER_MARK) {
      System.arraycopy(target, from + 1, target, from, --count);
      started = true;
      return count == 0 ? read(target, from, length) : count;
    }
    started = true;
    for (int i = from; i < from + count; i++) {
      check(target[i]);
    }
    return count;
  }

  private void check(char c) {
    if (c == 0) {
      throw problem("text, found a character NUL, as files have that are no text");
    }
    if (c == MALFORMED && !Character.isHighSurrogate(last)) {
      throw problem("text in UTF-8, found other bytes: save it in UTF-8");
    }
    if (++characters > DataLimits.CSV_LINE_CHARACTERS) {
      throw problem("at most %d characters, found more".formatted(DataLimits.CSV_LINE_CHARACTERS));
    }
    line += c == '\r' || c == '\n' && last != '\r' ? 1 : 0;
    last = c;
  }

  private UsageException problem(String expected) {
    return new UsageException("%s: line %d: expected %s", file, line, expected);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
