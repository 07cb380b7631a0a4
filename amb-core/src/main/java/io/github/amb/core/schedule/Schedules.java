package io.github.amb.core.schedule;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.List;
import java.util.function.Function;

/** The learning-rate schedules by name. To add one, add a class and a line here. */
public final class Schedules {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "learning-rate schedule",
          List.of(
              new Entry(
                  "const", "the same at every step", s -> new ConstantSchedule(s.learningRate())),
              new Entry("linear", "a straight line to the last step", Schedules::linear),
              new Entry("exponential", "times a rate every so many steps", Schedules::exponential),
              new Entry("epochs", "times a fraction every so many epochs", Schedules::epochs),
              new Entry(
                  "inverse-sqrt",
                  "divided by K + sqrt(t / mu) in step t",
                  s ->
                      new InverseRootSchedule(
                          s.learningRate(), s.rootOffset(), s.rootExamples()))));

  private Schedules() {}

  /**
   * A schedule that a user can name.
   *
   * @param name what the user types
   * @param summary one line for help
   * @param factory makes the schedule
   */
  public record Entry(String name, String summary, Function<ScheduleSettings, Schedule> factory)
      implements Registry.Entry {
    /**
     * The schedule with these settings.
     *
     * @throws UsageException if they lack something the schedule needs
     */
    public Schedule create(ScheduleSettings settings) {
      return factory.apply(settings);
    }
  }

  /** All schedules, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /**
   * The schedule called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.named(name);
  }

  private static Schedule linear(ScheduleSettings s) {
    if (s.lastStep() == 0) {
      throw new UsageException(
          "linear schedule: expected a last step, found none; set the number of steps");
    }
    return new LinearSchedule(s.learningRate(), s.linearEnd(), s.lastStep());
  }

  private static Schedule exponential(ScheduleSettings s) {
    return new ExponentialSchedule(
        s.learningRate(), s.expDecaySteps(), s.expDecayRate(), s.expStaircase());
  }

  private static Schedule epochs(ScheduleSettings s) {
    return new EpochSchedule(s.learningRate(), s.epochsEvery(), s.epochsFraction());
  }
}
