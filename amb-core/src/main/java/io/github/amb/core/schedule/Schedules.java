package io.github.amb.core.schedule;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The learning-rate schedules by name. To add one of ours, add a class and an entry here. */
public final class Schedules implements Plugin<Schedules.Entry> {
  /** All schedules, by name. */
  public static final Registry<Entry> ALL = new Registry<>("learning-rate schedule", Entry.class);

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
            Schedules::linear,
            "lrate-linear-end"),
        new Entry(
            Description.of("cosine", "half a period of a cosine to the last step")
                .use("Runs of a known number of steps, often after a warm-up.")
                .formula("eta(t) = end + (eta - end) (1 + cos(pi t / last step)) / 2")
                .source("Loshchilov and Hutter, SGDR, ICLR 2017; PyTorch, CosineAnnealingLR"),
            "[:end=0]",
            Schedules::cosine,
            List.of()),
        new Entry(
            Description.of("exponential", "times a rate every so many steps")
                .use("Runs whose length is not known.")
                .formula("eta(t) = eta rate^(t / steps), the exponent rounded down for stairs")
                .source("TensorFlow 1, exponential_decay, 2015"),
            Schedules::exponential,
            "lrate-exp-decay-steps",
            "lrate-exp-rate",
            "lrate-exp-staircase"),
        new Entry(
            Description.of("epochs", "times a fraction every so many epochs")
                .use("Training to a final accuracy, with drops at given epochs.")
                .formula("eta(t) = eta fraction^(number of epochs reached)"),
            Schedules::epochs,
            "lrate-epochs-every",
            "lrate-epochs-frac"),
        new Entry(
            Description.of("inverse-sqrt", "divided by K + sqrt(t / mu) in step t")
                .use("With dual-averaging, as AMB is analyzed.")
                .formula("eta(t) = eta / (K + sqrt(t / mu))")
                .source("Ferdinand et al., Anytime Minibatch, ICLR 2019"),
            s -> new InverseRootSchedule(s.learningRate(), s.rootOffset(), s.rootExamples()),
            "lrate-sqrt-k",
            "lrate-sqrt-mu"));
  }

  /**
   * A schedule that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param factory makes the schedule
   * @param options names of the user's options that it has
   */
  public record Entry(
      Description description,
      String arguments,
      BiFunction<ScheduleSettings, EntryArguments, Schedule> factory,
      List<String> options)
      implements Registry.Entry {
    Entry(
        Description description, Function<ScheduleSettings, Schedule> factory, String... options) {
      this(description, "", (settings, none) -> factory.apply(settings), List.of(options));
    }

    /** A schedule of a plugin, which has arguments behind its name and no other settings. */
    public Entry(
        Description description,
        String arguments,
        BiFunction<ScheduleSettings, EntryArguments, Schedule> factory) {
      this(description, arguments, factory, List.of());
    }

    @Override
    public List<String> usage() {
      return options.stream().map(option -> "--" + option).toList();
    }
  }

  /**
   * The schedule of a text.
   *
   * @param text {@code NAME[:ARGUMENTS]}
   * @throws UsageException if there is none, or the settings lack something that it needs
   */
  public static Schedule create(String text, ScheduleSettings settings) {
    Registry.Choice<Entry> choice = ALL.choose(text);
    Schedule schedule =
        choice.make(arguments -> choice.entry().factory().apply(settings, arguments));
    return settings.warmUpSteps() == 0
        ? schedule
        : new WarmUpSchedule(
            settings.learningRate(), settings.warmUpSteps(), settings.warmUpFactor(), schedule);
  }

  /**
   * Checks that the schedule of a text has all options that are given.
   *
   * @param given names of options
   * @throws UsageException naming every option that other schedules have and it has not
   */
  public static void check(String text, List<String> given) {
    Entry chosen = ALL.choose(text).entry();
    List<String> problems = new ArrayList<>();
    for (Entry other : ALL.all()) {
      for (String option : other.options()) {
        if (given.contains(option) && !chosen.options().contains(option)) {
          problems.add(
              "learning-rate schedule %s: has no use for --%s, which belongs to %s; leave it out or set --lrate-schedule %s"
                  .formatted(chosen.name(), option, other.name(), other.name()));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  private static Schedule linear(ScheduleSettings s) {
    requireLastStep("linear", s);
    return new LinearSchedule(s.learningRate(), s.linearEnd(), s.scheduledSteps());
  }

  private static Schedule cosine(ScheduleSettings s, EntryArguments arguments) {
    requireLastStep("cosine", s);
    double end =
        arguments.named("end", 0, v -> v >= 0 && v < Double.POSITIVE_INFINITY, "0 or more");
    return new CosineSchedule(s.learningRate(), end, s.scheduledSteps());
  }

  private static void requireLastStep(String name, ScheduleSettings s) {
    if (s.lastStep() == 0) {
      throw new UsageException(
          name + " schedule: expected a last step, found none; set --last-step");
    }
  }

  private static Schedule exponential(ScheduleSettings s) {
    return new ExponentialSchedule(
        s.learningRate(), s.expDecaySteps(), s.expDecayRate(), s.expStaircase());
  }

  private static Schedule epochs(ScheduleSettings s) {
    return new EpochSchedule(s.learningRate(), s.epochsEvery(), s.epochsFraction());
  }
}
