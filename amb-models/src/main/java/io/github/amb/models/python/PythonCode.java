package io.github.amb.models.python;

import io.github.amb.core.option.UsageException;
import java.util.List;
import java.util.Map;

/**
 * Whether the code of a Python file may run. A user names it on the command line. Files that name
 * it may be somebody else's: a configuration, an experiment, or the description of a run.
 */
public final class PythonCode {
  private PythonCode() {}

  /**
   * What is wrong with a network or data set that a file names.
   *
   * @param where file, line and option
   * @param value as the file has it
   * @param environment of this process
   * @return null if nothing is
   */
  public static String problem(String where, String value, Map<String, String> environment) {
    boolean code = value != null && value.startsWith(PythonFile.NAME + ":");
    return !code || environment.containsKey(PythonFile.VARIABLE)
        ? null
        : "%s: expected no code in a file, found %s; if you trust it, set %s to the Python that runs it"
            .formatted(where, value, PythonFile.VARIABLE);
  }

  /** Lets a process run what the description of this process' own run names. */
  public static void trust(Map<String, String> environment) {
    environment.putIfAbsent(PythonFile.VARIABLE, PythonFile.USUAL);
  }

  /**
   * Checks a network or data set that a file names, with the environment of this process.
   *
   * @throws UsageException with its {@link #problem}
   */
  public static void check(String where, String value) {
    String problem = problem(where, value, System.getenv());
    UsageException.expectNone(problem == null ? List.of() : List.of(problem));
  }
}
