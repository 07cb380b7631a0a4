package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file by which a run under another program's launcher tells who started that its exit code
 * and, in a second line, why it failed: MPJ Express' always exits with 0, others have their own
 * words after ours.
 */
public final class ExitFile {
  private static final String PROPERTY = "amb.exit.file";

  /** Environment variable that names it, where no system property does. */
  public static final String VARIABLE = "AMB_EXIT_FILE";

  private ExitFile() {}

  /** Records {@code code} without a cause, as {@link #record(int, String)}. */
  public static void record(int code) throws IOException {
    record(code, "");
  }

  /**
   * Records {@code code} if a file is named; a failure that is recorded already stays.
   *
   * @param cause of a failure; else empty
   * @throws IOException if the file cannot be written
   */
  public static void record(int code, String cause) throws IOException {
    String name = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (name == null) {
      return;
    }
    Path file = Path.of(name);
    if (code != 0 && Files.exists(file) && !Files.readString(file).strip().equals("0")) {
      return;
    }
    if (code != 0 || !Files.exists(file)) {
      Files.writeString(file, (code + "\n" + cause.replace('\n', ' ')).strip() + "\n");
    }
  }

  /** Why a run failed; empty if it has not recorded that in {@code file}. */
  public static String cause(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file).lines().skip(1).findFirst().orElse("") : "";
  }
}
