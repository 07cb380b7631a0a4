package io.github.amb.plots.summary;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.record.RunInfo;
import java.util.List;
import java.util.Map;

/**
 * The summary of one run. Numbers that the run's records do not have are NaN.
 *
 * @param run short label of the run among the others
 * @param id name of the run's directory
 * @param seed of its random numbers
 * @param workers number of workers; 0 if unknown
 * @param state how the run ended, as {@link RunInfo.State} has it; one that diverged has no number
 *     but its steps and examples
 * @param time seconds from the first step's start to the last step's end
 * @param steps number of updates
 * @param examples number of examples in all updates
 * @param finalAccuracy test accuracy of the last evaluation, 0 to 1
 * @param bestAccuracy highest test accuracy, 0 to 1
 * @param finalLoss mean loss of the last evaluation
 * @param bestLoss smallest loss of an evaluation
 * @param metrics further numbers of the last evaluation, by name
 * @param timeToTarget seconds until the parameters of the first evaluation that reaches the target
 *     were made; NaN if the run did not reach it
 * @param testsApart seconds from the evaluation before, or the start, to that one
 * @param secondsPerStep {@code time / steps}
 * @param examplesPerSecond {@code examples / time}
 * @param speedUpToTarget the {@code timeToTarget} of the baseline, of the same seed if it has it,
 *     divided by this run's
 * @param speedUpExamples this run's {@code examplesPerSecond} divided by the baseline's
 * @param idleShare share of the workers' time spent waiting for parameters, 0 to 1
 * @param sleepShare share of the workers' time spent in induced delays, 0 to 1
 * @param goodput where the workers' time went
 * @param workerSecondsToTarget seconds of all workers together until {@code timeToTarget}
 * @param ranks the same by worker
 * @param lost what changes of the workers have cost
 * @param comparable whether data set, network and kind of time are the baseline's; else speed-ups
 *     are NaN
 * @param configuration the run's options, by name
 */
public record SummaryRow(
    String run,
    String id,
    @JsonIgnore long seed,
    int workers,
    String state,
    double time,
    long steps,
    long examples,
    double finalAccuracy,
    double bestAccuracy,
    double finalLoss,
    double bestLoss,
    @JsonIgnore Map<String, Double> metrics,
    double timeToTarget,
    double testsApart,
    double secondsPerStep,
    double examplesPerSecond,
    double speedUpToTarget,
    double speedUpExamples,
    double idleShare,
    double sleepShare,
    @JsonUnwrapped Goodput goodput,
    double workerSecondsToTarget,
    @JsonIgnore RankTimes ranks,
    @JsonIgnore List<LostTime> lost,
    @JsonIgnore boolean comparable,
    @JsonIgnore Map<String, Object> configuration) {

  /** Whether the run has ended as it was to. */
  private static final JsonMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  boolean isDone() {
    return state.equals(RunInfo.State.DONE.toString());
  }

  /** The row's values by field name, in order; null for an unknown number. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = JSON.convertValue(this, new TypeReference<>() {});
    fields.replaceAll((name, value) -> value instanceof Double number ? known(number) : value);
    return fields;
  }

  static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
