package io.github.amb.runtime.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.Decimal;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How far a run is. What does not exist, or is not known yet, is null, never NaN.
 *
 * @param step updates applied
 * @param lastStep updates after which the run ends; null without such a limit
 * @param epoch examples used, in sizes of the training set
 * @param share what is done of the run, 0 to 1, by the limit that is nearest; null without a limit
 * @param secondsLeft real seconds until the end, if the run continues at its speed so far
 * @param time seconds since the run's first step began
 * @param virtual whether {@code time} and {@code examplesPerSecond} are in virtual time
 * @param loss training loss of the newest step
 * @param metrics further numbers of the newest step by name; null for none
 * @param examplesPerSecond examples used, by {@code time}
 * @param test the newest test
 * @param best the test of the highest accuracy, or of the smallest loss where there is none
 * @param workers the workers; null if this process trains alone
 * @param finalTest how far the test of the final parameters is; null before it begins
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Progress(
    long step,
    Long lastStep,
    Double epoch,
    Double share,
    Double secondsLeft,
    double time,
    boolean virtual,
    Double loss,
    Map<String, Double> metrics,
    Double examplesPerSecond,
    Score test,
    Score best,
    Workers workers,
    FinalTest finalTest) {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /**
   * What a test found.
   *
   * @param step updates applied to the tested parameters
   * @param loss mean loss per test example
   * @param accuracy 0 to 1
   * @param metrics further numbers of the model by name; null for none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Score(long step, Double loss, Double accuracy, Map<String, Double> metrics) {
    /** A score without further numbers. */
    public Score(long step, Double loss, Double accuracy) {
      this(step, loss, accuracy, null);
    }

    /** Metrics for people, each after a separator; empty if there are none. */
    String further(String separator) {
      return Progress.further(metrics, separator);
    }
  }

  private static String further(Map<String, Double> metrics, String separator) {
    return metrics == null
        ? ""
        : metrics.entrySet().stream()
            .map(each -> Decimal.format("%s%s %.4g", separator, words(each), each.getValue()))
            .collect(Collectors.joining());
  }

  private static String words(Map.Entry<String, Double> metric) {
    return metric.getKey().replace('_', ' ');
  }

  /** The numbers of the newest step for people, each after a separator. */
  String further(String separator) {
    return further(metrics, separator);
  }

  /**
   * The workers.
   *
   * @param present those that take part now
   * @param started those that the run began with
   * @param lost how often one was lost
   * @param slowest rank of the one whose steps take longest; null if none has done a step
   * @param slowestSeconds a moving average of its steps' times
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Workers(
      int present, int started, int lost, Integer slowest, Double slowestSeconds) {}

  /**
   * The test of the final parameters.
   *
   * @param done examples tested
   * @param of examples to test
   */
  public record FinalTest(int done, int of) {}

  /** This as one line of JSON. */
  public String toJson() {
    return json(this);
  }

  /** What {@link #toJson} has written; null if {@code line} is something else. */
  public static Progress fromJson(String line) {
    return Reading.orElse(null, () -> JSON.readValue(line, Progress.class));
  }

  static String json(Object value) {
    return Reading.certain(() -> JSON.writeValueAsString(value));
  }
}
