package io.github.amb.core.schedule;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The learning-rate schedules by name. To add one of ours, add a class and an entry here. */
public final class Schedules implements Plugin<Schedules.Entry> {
  private static final Registry<Entry> ALL = new Registry<>("learning-rate schedule", Entry.class);

  /** For the service loader. */
  public Schedules() {}

  @Override
  public Class<Entry> kind() {
    return Entry.class;
  }

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("const", "the same at every step")
                .use("Short runs, and comparisons in which the rate plays no part.")
                .formula("eta(t) = eta")
                .aliases("constant"),
            s -> new ConstantSchedule(s.learningRate())),
        new Entry(
            Description.of("linear", "a straight line to the last step")
                .use("Runs of a known number of steps.")
                .formula("eta(t) = eta + (end - eta) t / last step"),
            Schedules::linear),
        new Entry(
            Description.of("exponential", "times a rate every so many steps")
                .use("Runs whose length is not known.")
                .formula("eta(t) = eta rate^(t / steps), the exponent rounded down for stairs")
                .source("TensorFlow 1, exponential_decay, 2015"),
            Schedules::exponential),
        new Entry(
            Description.of("epochs", "times a fraction every so many epochs")
                .use("Training to a final accuracy, with drops at given epochs.")
                .formula("eta(t) = eta fraction^(number of epochs reached)"),
            Schedules::epochs),
        new Entry(
            Description.of("inverse-sqrt", "divided by K + sqrt(t / mu) in step t")
                .use("With dual-averaging, as AMB is analyzed.")
                .formula("eta(t) = eta / (K + sqrt(t / mu))")
                .source("Ferdinand et al., Anytime Minibatch, ICLR 2019"),
            s -> new InverseRootSchedule(s.learningRate(), s.rootOffset(), s.rootExamples())));
  }

  /**
   * A schedule that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param factory makes the schedule
   */
  public record Entry(
      Description description,
      String arguments,
      BiFunction<ScheduleSettings, EntryArguments, Schedule> factory)
      implements Registry.Entry {
    Entry(Description description, Function<ScheduleSettings, Schedule> factory) {
      this(description, "", (settings, arguments) -> factory.apply(settings));
    }
  }

  /** All schedules, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /**
   * The schedule of a text.
   *
   * @param text {@code NAME[:ARGUMENTS]}
   * @throws UsageException if there is none, or the settings lack something that it needs
   */
  public static Schedule create(String text, ScheduleSettings settings) {
    Registry.Choice<Entry> choice = ALL.choose(text);
    return choice.make(arguments -> choice.entry().factory().apply(settings, arguments));
  }

  private static Schedule linear(ScheduleSettings s) {
    if (s.lastStep() == 0) {
      throw new UsageException(
          "linear schedule: expected a last step, found none; set --last-step");
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
