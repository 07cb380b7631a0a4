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
 * The process's environment: locale, time zone, encoding, arguments and working directory. The
 * first three must not change what the program writes or reads.
 */
public final class Program {
  /** The character by which Java replaces bytes that it cannot decode. */
  private static final char UNDECODABLE = '\uFFFD';

  /** Environment variables that hold paths. */
  private static final List<String> PLACES =
      List.of("AMB_CACHE_DIR", "AMB_EXIT_FILE", "MPJ_HOME", "XDG_CACHE_HOME");

  private Program() {}

  /**
   * Sets the root locale, the time zone UTC, and UTF-8 for standard output and standard error.
   * Every {@code main} calls this first.
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
   * Whether Java could decode a text from the system. A path that it could not decode names another
   * file when it is encoded again.
   */
  public static boolean isDecoded(String text) {
    return text.indexOf(UNDECODABLE) < 0;
  }

  /**
   * Checks all text from the system, before anything is read or written.
   *
   * @param arguments of {@code main}; not modified
   * @throws UsageException if Java could not decode an argument, the working directory or an
   *     environment variable that holds a path
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
