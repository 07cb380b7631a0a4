package io.github.amb.core.record;

import com.fasterxml.jackson.annotation.JsonInclude;

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
 * @param gradientNorm Euclidean norm of the mean gradient of all trainable parameters, before
 *     clipping and weight decay; null if it was not measured
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
    @JsonInclude(JsonInclude.Include.NON_NULL) Double gradientNorm)
    implements LogRecord {
  /** An update whose gradient was not measured. */
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
