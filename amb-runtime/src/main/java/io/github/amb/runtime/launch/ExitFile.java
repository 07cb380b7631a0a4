package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file by which a run under another program's launcher reports its exit code and, in a second
 * line, the cause of a failure. MPJ Express' launcher always exits with 0, and others print remarks
 * after the cause.
 */
public final class ExitFile {
  private static final String PROPERTY = "amb.exit.file";

  /** Environment variable with the file's name, used if the system property is not set. */
  public static final String VARIABLE = "AMB_EXIT_FILE";

  /** A third line of a rank that failed because other ranks had failed. */
  private static final String LOST_OTHERS = "lost others";

  private ExitFile() {}

  /**
   * Records an exit code, if a file is named. The first of several failures stays, unless its cause
   * is another rank's failure; then the first failure with an own cause replaces it.
   *
   * @param code the exit code
   * @param cause cause of a failure; otherwise empty
   * @param own whether the cause is in this rank
   * @throws IOException if the file cannot be written
   */
  public static void record(int code, String cause, boolean own) throws IOException {
    String name = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (name != null) {
      record(Path.of(name), code, cause, own);
    }
  }

  static void record(Path file, int code, String cause, boolean own) throws IOException {
    List<String> found = Files.exists(file) ? Files.readAllLines(file) : List.of();
    boolean failed = !found.isEmpty() && !found.get(0).strip().equals("0");
    boolean replaces = code != 0 && (!failed || own && found.contains(LOST_OTHERS));
    if (found.isEmpty() || replaces) {
      String why = (code + "\n" + cause.replace('\n', ' ')).strip() + "\n";
      Files.writeString(file, own ? why : why + LOST_OTHERS + "\n");
    }
  }

  /** The cause of a run's failure; empty if {@code file} records none. */
  public static String cause(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file).lines().skip(1).findFirst().orElse("") : "";
  }
}
