package io.github.amb.core.schedule;

import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.Setting;

/**
 * What a schedule is made from. Immutable.
 *
 * @param learningRate learning rate at the start, positive
 * @param lastStep number of updates, warm-up included; 0 for no limit
 * @param values of the options of schedules
 */
public record ScheduleOptions(double learningRate, long lastStep, OptionValues values) {
  /** Number of updates after the warm-up; 0 for no limit. */
  public long scheduledSteps() {
    return lastStep == 0 ? 0 : lastStep - get(Schedules.WARM_UP_STEPS);
  }

  /** The value given, else the option's own, else null. */
  public <T> T get(Setting<T> option) {
    return values.get(option);
  }
}
