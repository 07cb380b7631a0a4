package io.github.amb.core.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;

/**
 * What a program has of the machine it runs on: a locale, a time zone, an encoding, arguments and a
 * working directory. None of the first three may change what the program writes or reads.
 */
public final class Program {
  /** What Java has in place of bytes that it could not decode. */
  private static final char UNDECODABLE = '\uFFFD';

  /** Environment variables that name places. */
  private static final List<String> PLACES =
      List.of("AMB_CACHE_DIR", "AMB_EXIT_FILE", "MPJ_HOME", "XDG_CACHE_HOME");

  private Program() {}

  /**
   * First thing in every {@code main}: no locale, the time zone UTC, and UTF-8 on standard output
   * and standard error.
   */
  public static synchronized void start() {
    Locale.setDefault(Locale.ROOT);
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    System.setOut(stream(FileDescriptor.out));
    System.setErr(stream(FileDescriptor.err));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /**
   * Whether Java could decode a text from the system. One that it could not decode names another
   * file when it is encoded again.
   */
  public static boolean isDecoded(String text) {
    return text.indexOf(UNDECODABLE) < 0;
  }

  /**
   * Checks what came from the system, before anything is read or written.
   *
   * @throws UsageException if Java could not decode an argument, the working directory or an
   *     environment variable that names a place
   */
  public static void check(List<String> arguments) {
    check(arguments, System.getProperty("user.dir"), System.getenv());
  }

  static void check(List<String> arguments, String directory, Map<String, String> environment) {
    List<String> problems = new ArrayList<>();
    arguments.forEach(argument -> look("argument", argument, problems));
    look("working directory", directory, problems);
    PLACES.forEach(name -> look(name, Objects.toString(environment.get(name), ""), problems));
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  private static void look(String what, String text, List<String> problems) {
    if (!isDecoded(text)) {
      problems.add(what + " '" + text + "': " + remedy());
    }
  }

  /**
   * A file that was found in a folder.
   *
   * @return it
   * @throws UsageException if Java could not decode its name
   */
  public static Path expectDecoded(Path found) {
    if (!isDecoded(found.toString())) {
      throw new UsageException(found + ": " + remedy());
    }
    return found;
  }

  /** What to do about a text or path that this Java cannot express. */
  public static String remedy() {
    Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    return names.equals(StandardCharsets.UTF_8)
        ? "expected text in UTF-8, found other bytes; use a name in UTF-8"
        : "expected text in "
            + names
            + ", the locale's encoding, found other bytes; set LC_ALL=C.UTF-8";
  }
}
