package io.github.amb.models.python;

import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A user's Python file, as a network or data set names it.
 *
 * @param what network or data set, for messages
 * @param path as the user typed it; null for none
 * @param program that runs the worker
 * @param seconds maximum time of an answer
 * @param options of the file's functions, by name
 */
record PythonFile(
    String what, String path, String program, int seconds, Map<String, String> options) {
  static final String NAME = "python";
  static final String USAGE = ":FILE.py[,python=PROGRAM][,seconds=300][,OPTION=VALUE...]";

  /** Environment variable of the Python that has PyTorch. */
  static final String VARIABLE = "AMB_PYTHON";

  static final String USUAL = "python3";

  private static final int SECONDS = 300;

  /** The file that arguments name. */
  static PythonFile of(String what, EntryArguments given) {
    String path = given.text(null);
    String program = given.text(NAME, usual());
    int seconds = given.count("seconds", SECONDS, 1, 1 << 20);
    return new PythonFile(what, path, program, seconds, given.rest());
  }

  private static String usual() {
    return System.getenv().getOrDefault(VARIABLE, USUAL);
  }

  /** The network that has the file's module with its default options. */
  String network() {
    return NAME
        + ":"
        + path
        + (program.equals(usual()) ? "" : "," + NAME + "=" + program)
        + (seconds == SECONDS ? "" : ",seconds=" + seconds);
  }

  /**
   * The file, if there is one.
   *
   * @throws UsageException if there is none
   */
  Path file() {
    if (path == null || !Files.isRegularFile(Path.of(path))) {
      throw new UsageException(
          "%s: expected a Python file, found none%s; name one as in %s:FILE.py",
          this, path == null ? "" : " at " + path, NAME);
    }
    return Path.of(path).toAbsolutePath();
  }

  /** SHA-256 of the file by its path, not of what it imports. */
  Map<String, String> checksums() {
    Path file = file();
    return Reading.expect(file, () -> Map.of(path, Sha256.of(file)));
  }

  /** What messages call it. */
  @Override
  public String toString() {
    return path == null ? what + " " + NAME : "%s %s:%s".formatted(what, NAME, path);
  }
}
