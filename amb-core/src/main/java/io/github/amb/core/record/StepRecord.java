package io.github.amb.core.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One update at the master, in {@code master.jsonl}.
 *
 * @param time seconds since the run's first step began, at the end of this step
 * @param step number of this update, from 1
 * @param loss mean training loss over the step's examples, at the parameters before the update; NaN
 *     if the update has no examples
 * @param learningRate learning rate of this update
 * @param numSamples number of examples in this update
 * @param totalSamples number of examples in all updates so far
 * @param updateTime seconds spent summing gradients and applying the update rule
 * @param sendTime seconds spent sending parameters to the workers
 * @param bytesSent bytes that the master has sent so far, headers included
 * @param bytesReceived bytes that the master has received so far, headers included
 * @param metrics further numbers of the step by name, in the order in which they are shown; null
 *     for none. {@value #GRADIENT_NORM} is the Euclidean norm of the mean gradient of all trainable
 *     parameters, before clipping and weight decay
 */
public record StepRecord(
    double time,
    long step,
    double loss,
    double learningRate,
    long numSamples,
    long totalSamples,
    double updateTime,
    double sendTime,
    long bytesSent,
    long bytesReceived,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> metrics)
    implements LogRecord {
  /** Name of a metric. */
  public static final String GRADIENT_NORM = "gradient_norm";

  /** Copies the metrics. */
  public StepRecord {
    metrics =
        metrics == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /** An update without further numbers. */
  public StepRecord(
      double time,
      long step,
      double loss,
      double learningRate,
      long numSamples,
      long totalSamples,
      double updateTime,
      double sendTime,
      long bytesSent,
      long bytesReceived) {
    this(
        time,
        step,
        loss,
        learningRate,
        numSamples,
        totalSamples,
        updateTime,
        sendTime,
        bytesSent,
        bytesReceived,
        null);
  }
}
