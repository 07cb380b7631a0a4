package io.github.amb.core.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code run.json}: what was run, with what, and how it ended.
 *
 * @param format version of the run directory's format, {@link #FORMAT} when written by this program
 * @param id name of the run
 * @param started wall-clock start, ISO 8601 in UTC
 * @param command what the user typed, program name first
 * @param configuration every option's value, by its long name without dashes
 * @param seed seed of every random choice
 * @param environment versions of the program, of Java, of libraries and natives; host; git commit
 * @param data SHA-256 of each data file, by file name; empty for generated data
 * @param ending how the run ended; null while it runs, or if it was killed before it could say
 */
public record RunInfo(
    int format,
    String id,
    String started,
    List<String> command,
    Map<String, Object> configuration,
    long seed,
    Map<String, String> environment,
    Map<String, String> data,
    Ending ending) {
  /** Version of the run directory's format that this program writes. */
  public static final int FORMAT = 2;

  /** Since format 2, matrices of atomo-svd are those of its authors; before, they were square. */
  private static final Pattern ATOMO = Pattern.compile("atomo-svd(?::(\\d+))?(?=\\+|$)");

  private static final List<String> CODECS = List.of("codec", "downlink-codec");

  /** Facts that are missing are none. */
  public RunInfo {
    command = command == null ? List.of() : command;
    environment = environment == null ? Map.of() : environment;
    data = data == null ? Map.of() : data;
  }

  /**
   * How a run ended.
   *
   * @param exitCode exit code of the run
   * @param cause why it ended, one line
   * @param seconds seconds since the run's first step began
   * @param steps updates applied
   * @param parametersSha256 SHA-256 of the file of final parameters; null if the run made none
   */
  public record Ending(
      int exitCode, String cause, double seconds, long steps, String parametersSha256) {
    /** The ending of a run that made no file of parameters. */
    public Ending(int exitCode, String cause, double seconds, long steps) {
      this(exitCode, cause, seconds, steps, null);
    }
  }

  /** This run as this format describes it, so that what was meant stays what is meant. */
  RunInfo inThisFormat() {
    if (format >= FORMAT) {
      return this;
    }
    Map<String, Object> all = new LinkedHashMap<>(configuration);
    for (String key : CODECS) {
      all.computeIfPresent(key, (name, codec) -> withSquareMatrices(codec.toString()));
    }
    return new RunInfo(FORMAT, id, started, command, all, seed, environment, data, ending);
  }

  private static String withSquareMatrices(String codec) {
    return ATOMO
        .matcher(codec)
        .replaceAll(
            found -> "atomo-svd:" + (found.group(1) == null ? "3" : found.group(1)) + ",square");
  }

  /** This run, ended. */
  public RunInfo withEnding(Ending ending) {
    return new RunInfo(
        format, id, started, command, configuration, seed, environment, data, ending);
  }

  /** This run, with further facts in its environment. */
  public RunInfo withEnvironment(Map<String, String> facts) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.putAll(facts);
    return new RunInfo(format, id, started, command, configuration, seed, all, data, ending);
  }

  /** The value of a configuration key as text, or {@code otherwise} if the run has none. */
  public String configured(String key, String otherwise) {
    Object value = configuration.get(key);
    return value == null ? otherwise : value.toString();
  }
}
