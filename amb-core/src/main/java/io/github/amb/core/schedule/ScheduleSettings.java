package io.github.amb.core.schedule;

import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.List;

/**
 * The user's settings of the learning rate. A schedule uses those it needs.
 *
 * @param learningRate learning rate at the start, positive
 * @param linearEnd learning rate at the last step, for the linear schedule
 * @param lastStep number of updates, warm-up included, 0 for no limit; the linear schedule needs a
 *     limit
 * @param expDecaySteps updates per decay, for the exponential schedule
 * @param expDecayRate factor per decay, for the exponential schedule
 * @param expStaircase whether the exponential schedule decays in jumps
 * @param epochsEvery for the epochs schedule: one number to reduce whenever that many epochs have
 *     passed, or several to reduce as each is reached
 * @param epochsFraction factor per reduction, for the epochs schedule
 * @param rootOffset K, for the inverse-sqrt schedule
 * @param rootExamples μ, for the inverse-sqrt schedule
 * @param warmUpSteps updates before the schedule begins, 0 for none
 * @param warmUpFactor share of the learning rate at the first of them, from 0 to 1
 */
public record ScheduleSettings(
    double learningRate,
    double linearEnd,
    long lastStep,
    double expDecaySteps,
    double expDecayRate,
    boolean expStaircase,
    List<Double> epochsEvery,
    double epochsFraction,
    double rootOffset,
    double rootExamples,
    long warmUpSteps,
    double warmUpFactor) {
  /** Number of updates after the warm-up, 0 for no limit. */
  public long scheduledSteps() {
    return lastStep == 0 ? 0 : lastStep - warmUpSteps;
  }

  /**
   * @throws UsageException naming every setting that is out of range
   */
  public ScheduleSettings {
    epochsEvery = List.copyOf(epochsEvery);
    List<String> problems = new ArrayList<>();
    requirePositive("learning rate", learningRate, problems);
    requirePositive("linear end", linearEnd, problems);
    requirePositive("exponential decay steps", expDecaySteps, problems);
    requirePositive("exponential decay rate", expDecayRate, problems);
    requirePositive("epochs fraction", epochsFraction, problems);
    requirePositive("mu", rootExamples, problems);
    if (!(rootOffset >= 0 && rootOffset < Double.POSITIVE_INFINITY)) {
      problems.add("K: expected 0 or more, found " + rootOffset);
    }
    epochsEvery.forEach(epochs -> requirePositive("epochs every", epochs, problems));
    if (epochsEvery.isEmpty()) {
      problems.add("epochs every: expected at least one number, found none");
    }
    if (warmUpSteps < 0 || lastStep > 0 && warmUpSteps >= lastStep) {
      problems.add(
          "warm-up steps: expected 0 or more, less than the last step %d, found %d"
              .formatted(lastStep, warmUpSteps));
    }
    if (!(warmUpFactor >= 0 && warmUpFactor <= 1)) {
      problems.add("warm-up factor: expected 0 to 1, found " + warmUpFactor);
    }
    if (lastStep < 0) {
      problems.add("last step: expected 0 or more, found " + lastStep);
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  private static void requirePositive(String name, double value, List<String> problems) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      problems.add(name + ": expected a positive number, found " + value);
    }
  }
}
