package io.github.amb.core.file;

import io.github.amb.core.option.UsageException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Text from the system, such as names of files, which Java may be unable to decode. */
public final class SystemText {
  /** The character by which Java replaces bytes that it cannot decode. */
  private static final char UNDECODABLE = '\uFFFD';

  private SystemText() {}

  /**
   * Whether Java could decode a text from the system. A path that it could not decode names another
   * file when it is encoded again.
   */
  public static boolean isDecoded(String text) {
    return text.indexOf(UNDECODABLE) < 0;
  }

  /**
   * Checks the name of a file that was found in a folder.
   *
   * @return {@code found}
   * @throws UsageException if Java could not decode its name
   */
  public static Path expectDecoded(Path found) {
    if (!isDecoded(found.toString())) {
      throw new UsageException(found + ": " + remedy());
    }
    return found;
  }

  /** What the user can do about a text or path that this Java cannot encode, for messages. */
  public static String remedy() {
    Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    return names.equals(StandardCharsets.UTF_8)
        ? "expected text in UTF-8, found other bytes; use a name in UTF-8"
        : "expected text in "
            + names
            + ", the locale's encoding, found other bytes; set LC_ALL=C.UTF-8";
  }
}
