package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file by which a run under another program's launcher tells who started that its exit code
 * and, in a second line, why it failed: MPJ Express' always exits with 0, others have their own
 * words after ours.
 */
public final class ExitFile {
  private static final String PROPERTY = "amb.exit.file";

  /** Environment variable that names it, where no system property does. */
  public static final String VARIABLE = "AMB_EXIT_FILE";

  /** A third line of one that has failed because others had. */
  private static final String LOST_OTHERS = "lost others";

  private ExitFile() {}

  /** Records {@code code} without a cause, as {@link #record(int, String, boolean)}. */
  public static void record(int code) throws IOException {
    record(code, "", true);
  }

  /**
   * Records {@code code} if a file is named. Of several failures the first stays, but for one of a
   * rank that only lost others, in whose place comes that of a rank which failed of its own.
   *
   * @param cause of a failure; else empty
   * @param own whether the cause is the rank's own
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

  /** Why a run failed; empty if it has not recorded that in {@code file}. */
  public static String cause(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file).lines().skip(1).findFirst().orElse("") : "";
  }
}
