package io.github.amb.runtime.command;

import io.github.amb.core.file.SystemText;
import io.github.amb.core.option.UsageException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
    UsageException.expectNone(problems);
  }

  private static void look(String what, String text, List<String> problems) {
    if (!SystemText.isDecoded(text)) {
      problems.add(what + " '" + text + "': " + SystemText.remedy());
    }
  }
}
