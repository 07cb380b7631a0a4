package io.github.amb.core.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code run.json}: the command, the configuration and the environment of a run, and how it ended.
 *
 * @param format version of the run directory's format; {@link #FORMAT} if written by this program
 * @param id name of the run
 * @param started wall-clock start, ISO 8601 in UTC
 * @param command what the user typed, program name first
 * @param configuration value of every option, by its long name without dashes
 * @param seed seed of all random choices
 * @param environment versions of the program, Java, libraries and native libraries; host; git
 *     commit
 * @param data SHA-256 of each data file, by file name; empty for generated data
 * @param ending how the run ended; null while it runs, or if it was killed
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

  /**
   * Name of a fact of the environment: the number of examples of each class, by worker, as JSON.
   */
  public static final String CLASSES_OF_WORKERS = "classes_of_workers";

  /** What the cause of a run's ending contains if training has diverged. */
  public static final String DIVERGED = "training has diverged";

  /** Options of {@code amb train} that change neither what a run computes nor what it records. */
  public static final Set<String> OPTIONS_WITHOUT_EFFECT =
      Set.of(
          "checkpoint-every",
          "checkpoint-keep",
          "dashboard",
          "data-dir",
          "log-freq",
          "master-heap",
          "metrics-port",
          "name",
          "note",
          "progress",
          "run-directory",
          "runs-dir",
          "start-limit",
          "tag",
          "worker-heap");

  /** Since format 2, atomo-svd uses its authors' matrices; before, its matrices were square. */
  private static final Pattern ATOMO = Pattern.compile("atomo-svd(?::(\\d+))?(?=\\+|$)");

  private static final List<String> CODECS = List.of("codec", "downlink-codec");

  /** Missing maps become empty ones. */
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
   * @param steps number of updates applied
   * @param parametersSha256 SHA-256 of the file of final parameters; null if the run wrote none
   */
  public record Ending(
      int exitCode, String cause, double seconds, long steps, String parametersSha256) {}

  /** How far a run has come, as far as {@code run.json} says. */
  public enum State {
    /** It trains, or was killed. */
    UNFINISHED,
    DONE,
    /** Its numbers became infinite, or grew until nothing was learned. */
    DIVERGED,
    /** A signal ended it. */
    STOPPED,
    FAILED;

    /** As tables have it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How far the run has come. */
  public State state() {
    if (ending == null) {
      return State.UNFINISHED;
    }
    if (Objects.toString(ending.cause(), "").contains(DIVERGED)) {
      return State.DIVERGED;
    }
    return switch (ending.exitCode()) {
      case 0 -> State.DONE;
      case ExitCode.STOPPED -> State.STOPPED;
      default -> State.FAILED;
    };
  }

  /**
   * A run of another program, which does not say how it ended.
   *
   * @param id its name
   * @param configuration values of options, by name
   */
  public static RunInfo foreign(String id, Map<String, Object> configuration) {
    Ending ending = new Ending(0, "not recorded", 0, 0, null);
    return new RunInfo(FORMAT, id, "", List.of(), configuration, 0, Map.of(), Map.of(), ending);
  }

  /** Converts a run of an older format, so that its configuration keeps its meaning. */
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

  /** A copy of this run with an ending. */
  public RunInfo withEnding(Ending ending) {
    return new RunInfo(
        format, id, started, command, configuration, seed, environment, data, ending);
  }

  /** A copy of this run with other values of some options. */
  public RunInfo withConfiguration(Map<String, Object> values) {
    Map<String, Object> all = new LinkedHashMap<>(configuration);
    all.putAll(values);
    return new RunInfo(format, id, started, command, all, seed, environment, data, ending);
  }

  /** A copy of this run with additional facts in its environment. */
  public RunInfo withEnvironment(Map<String, String> facts) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.putAll(facts);
    return new RunInfo(format, id, started, command, configuration, seed, all, data, ending);
  }

  /** The value of an option as text, or {@code otherwise} if the run has none. */
  public String configured(String key, String otherwise) {
    Object value = configuration.get(key);
    return value == null ? otherwise : value.toString();
  }
}
