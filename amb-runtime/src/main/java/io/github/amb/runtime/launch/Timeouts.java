package io.github.amb.runtime.launch;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.control.ControlTimes;
import java.time.Duration;
import java.util.List;

/**
 * Limits of a launcher. Each can be set, in seconds, by the system property {@code amb.timeouts.}
 * and its name.
 *
 * @param connect for ranks that listen to connect; doubled with every attempt
 * @param afterReport for a rank to exit after it reported its failure
 * @param afterMaster for workers to end after the master
 * @param rootCause for the end of the rank that is the root cause, after others failed because of
 *     it
 * @param settle for an exit that says more than a rank's own report of its failure
 * @param evaluator for an evaluator that computes nothing, after the run has ended
 * @param control of the control connections
 */
public record Timeouts(
    Duration connect,
    Duration afterReport,
    Duration afterMaster,
    Duration rootCause,
    Duration settle,
    Duration evaluator,
    ControlTimes control) {
  private static final String PREFIX = "amb.timeouts.";
  private static final String HEARTBEAT = "heartbeat";
  private static final String GREETING = "greeting";

  /**
   * The limits that are set, with defaults for the others.
   *
   * @throws UsageException if a property is not a positive number
   */
  public static Timeouts chosen() {
    return new Timeouts(
        seconds("connect", 5),
        seconds("after-report", 10),
        seconds("after-master", 30),
        seconds("root-cause", 2),
        seconds("settle", 0.2),
        seconds("evaluator", 30),
        new ControlTimes(seconds(HEARTBEAT, 1), seconds(GREETING, 5)));
  }

  private static Duration seconds(String name, double otherwise) {
    String text = System.getProperty(PREFIX + name);
    Setting<Double> limit =
        Setting.positive(name, otherwise).in("seconds above 0", v -> v < Integer.MAX_VALUE);
    double seconds = text == null ? otherwise : limit.parse("-D" + PREFIX + name, text);
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Options by which a rank's Java receives the limits that it needs. */
  public List<String> ofRank() {
    return List.of(
        option(HEARTBEAT, control.heartbeat()),
        option(GREETING, control.greeting()),
        "-D" + StopRequest.SAVE_PROPERTY + "=" + StopRequest.SAVE_LIMIT.toSeconds());
  }

  private static String option(String name, Duration time) {
    return "-D" + PREFIX + name + "=" + time.toNanos() / 1e9;
  }
}
