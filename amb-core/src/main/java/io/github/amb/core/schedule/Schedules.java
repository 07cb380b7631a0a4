package io.github.amb.core.schedule;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The learning-rate schedules by name. To add one of ours, add a method and an entry here. */
public final class Schedules implements Plugin<Schedules.Entry> {
  /** All schedules, by name. */
  public static final Registry<Entry> ALL = new Registry<>("learning-rate schedule", Entry.class);

  /** Updates before a schedule begins, whichever it is. */
  public static final Setting<Long> WARM_UP_STEPS =
      Setting.integral("lrate-warmup-steps", 0L)
          .in("0 or more", v -> v >= 0)
          .help("steps of a straight line to the learning rate, before the schedule begins");

  /** Share of the learning rate at the first of them. */
  public static final Setting<Double> WARM_UP_FACTOR =
      Setting.real("lrate-warmup-factor", 0.01)
          .in("0 to 1", v -> v >= 0 && v <= 1)
          .help("share of the learning rate in the first step of the warm-up");

  public static final Setting<Double> LINEAR_END =
      Setting.positive("lrate-linear-end", 0.01).help("linear: rate at the last step");
  public static final Setting<Integer> EXP_DECAY_STEPS =
      Setting.integer("lrate-exp-decay-steps", 50, 1).help("exponential: steps per decay");
  public static final Setting<Double> EXP_RATE =
      Setting.positive("lrate-exp-rate", 0.9).help("exponential: factor per decay");
  public static final Setting<Integer> EXP_STAIRCASE =
      Setting.integer("lrate-exp-staircase", 1, 0, 1)
          .help("exponential: 1 decays in stairs, 0 smoothly");
  public static final Setting<List<Double>> EPOCHS_EVERY =
      Setting.positive("lrate-epochs-every", null)
          .list(List.of(10.0))
          .in("epochs above 0, as 10 or 30,60,80")
          .help("epochs: when to decay");
  public static final Setting<Double> EPOCHS_FRACTION =
      Setting.positive("lrate-epochs-frac", 0.5).help("epochs: factor per decay");
  public static final Setting<Double> SQRT_K =
      Setting.notNegative("lrate-sqrt-k", 1.0).help("inverse-sqrt: K in K + sqrt(t / mu)");
  public static final Setting<Double> SQRT_MU =
      Setting.positive("lrate-sqrt-mu", 1.0)
          .help(
              "inverse-sqrt: mu in K + sqrt(t / mu); that of AMB's paper is the examples per step");

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("const", "the same at every step")
                .use("Short runs, and comparisons in which the rate plays no part.")
                .formula("eta(t) = eta")
                .aliases("constant"),
            given -> (step, epochs) -> given.learningRate()),
        new Entry(
            Description.of("linear", "a straight line to the last step")
                .use("Runs of a known number of steps.")
                .formula("eta(t) = eta + (end - eta) t / last step"),
            Schedules::linear,
            LINEAR_END),
        new Entry(
            Description.of("cosine", "half a period of a cosine to the last step")
                .use("Runs of a known number of steps, often after a warm-up.")
                .formula("eta(t) = end + (eta - end) (1 + cos(pi t / last step)) / 2")
                .source("Loshchilov and Hutter, SGDR, ICLR 2017; PyTorch, CosineAnnealingLR"),
            "[:end=0]",
            Schedules::cosine),
        new Entry(
            Description.of("exponential", "times a rate every so many steps")
                .use("Runs whose length is not known.")
                .formula("eta(t) = eta rate^(t / steps), the exponent rounded down for stairs")
                .source("TensorFlow 1, exponential_decay, 2015"),
            Schedules::exponential,
            EXP_DECAY_STEPS,
            EXP_RATE,
            EXP_STAIRCASE),
        new Entry(
            Description.of("epochs", "times a fraction every so many epochs")
                .use("Training to a final accuracy, with drops at given epochs.")
                .formula("eta(t) = eta fraction^(number of epochs reached)"),
            Schedules::epochs,
            EPOCHS_EVERY,
            EPOCHS_FRACTION),
        new Entry(
            Description.of("inverse-sqrt", "divided by K + sqrt(t / mu) in step t")
                .use("With dual-averaging, as AMB is analyzed.")
                .formula("eta(t) = eta / (K + sqrt(t / mu))")
                .source("Ferdinand et al., Anytime Minibatch, ICLR 2019"),
            Schedules::inverseRoot,
            SQRT_K,
            SQRT_MU),
        new Entry(
            Description.of("range", "from a small rate exponentially to the last step's")
                .use(
                    "A search for the rate in one run: draw its losses with amb plot --type lr_range.")
                .formula("eta(t) = from (eta / from)^(t / last step)")
                .source("Smith, Cyclical Learning Rates, WACV 2017, section 3.3"),
            "[:from=1e-6]",
            Schedules::range),
        new Entry(
            Description.of("plateau", "times a factor after tests without improvement")
                .use("Training to a final accuracy, with drops where it stops to rise.")
                .formula("eta(t) = eta factor^(number of plateaus)")
                .source("Keras, ReduceLROnPlateau; PyTorch, ReduceLROnPlateau"),
            "[:factor=0.1,patience=10]",
            Schedules::plateau));
  }

  /**
   * A schedule that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param factory makes the schedule
   * @param options the options it has
   */
  public record Entry(
      Description description,
      String arguments,
      BiFunction<ScheduleOptions, EntryArguments, Schedule> factory,
      List<Setting<?>> options)
      implements Registry.Entry {
    /** A schedule with options. */
    public Entry(
        Description description,
        Function<ScheduleOptions, Schedule> factory,
        Setting<?>... options) {
      this(description, "", (given, none) -> factory.apply(given), List.of(options));
    }

    /** A schedule with arguments behind its name. */
    public Entry(
        Description description,
        String arguments,
        BiFunction<ScheduleOptions, EntryArguments, Schedule> factory) {
      this(description, arguments, factory, List.of());
    }
  }

  /** The options of the warm-up and of all schedules, each once, in the order for help. */
  public static List<Setting<?>> options() {
    List<Setting<?>> options = new ArrayList<>(List.of(WARM_UP_STEPS, WARM_UP_FACTOR));
    options.addAll(ALL.options());
    return options;
  }

  /**
   * The schedule of a text.
   *
   * @param text {@code NAME[:ARGUMENTS]}
   * @throws UsageException if there is none, or an option does not fit it or the number of steps
   */
  public static Schedule create(String text, ScheduleOptions given) {
    Registry.Choice<Entry> choice = ALL.choose(text);
    long warmUp = given.get(WARM_UP_STEPS);
    List<String> problems = ALL.unused(choice.entry(), changed(given));
    if (given.lastStep() > 0 && warmUp >= given.lastStep()) {
      problems.add(
          "--lrate-warmup-steps: expected less than the last step %d, found %d"
              .formatted(given.lastStep(), warmUp));
    }
    UsageException.expectNone(problems);
    Schedule schedule = choice.make(arguments -> choice.entry().factory().apply(given, arguments));
    return warmUp == 0 ? schedule : afterWarmUp(warmUp, given, schedule);
  }

  /**
   * A straight line to the learning rate over {@code steps} steps, and then another schedule, whose
   * steps count from there: PyTorch's {@code LinearLR}, followed by the other one in a {@code
   * SequentialLR}. Epochs count from the start of the run.
   */
  private static Schedule afterWarmUp(long steps, ScheduleOptions given, Schedule then) {
    double factor = given.get(WARM_UP_FACTOR);
    return new OnPlateaus(
        (step, epochs) ->
            step < steps
                ? given.learningRate() * (factor + (1 - factor) * step / steps)
                : then.learningRate(step - steps, epochs),
        then.patience(),
        then.factor());
  }

  /** The options that have another value than their default, which a recorded run has of all. */
  private static List<String> changed(ScheduleOptions given) {
    return ALL.options().stream()
        .filter(option -> !given.get(option).equals(option.fallback()))
        .map(Setting::name)
        .toList();
  }

  private static Schedule linear(ScheduleOptions given) {
    requireLastStep("linear", given);
    double end = given.get(LINEAR_END);
    if (given.learningRate() <= end && !given.values().has(LINEAR_END)) {
      throw new UsageException(
          "--lrate-linear-end: expected a value, as its default %s is not below --learning-rate %s,"
              + " found none",
          end, given.learningRate());
    }
    double first = given.learningRate();
    return (step, epochs) -> first + (end - first) * share(step, given);
  }

  private static Schedule cosine(ScheduleOptions given, EntryArguments arguments) {
    requireLastStep("cosine", given);
    double end =
        arguments.named("end", 0, v -> v >= 0 && v < Double.POSITIVE_INFINITY, "0 or more");
    return (step, epochs) ->
        end + (given.learningRate() - end) * (1 + Math.cos(Math.PI * share(step, given))) / 2;
  }

  private static Schedule range(ScheduleOptions given, EntryArguments arguments) {
    requireLastStep("range", given);
    double from = arguments.named("from", 1e-6, v -> v > 0 && v < 1e6, "above 0");
    return (step, epochs) -> from * Math.pow(given.learningRate() / from, share(step, given));
  }

  /** Share of the steps after the warm-up that are done, at most 1. */
  private static double share(long step, ScheduleOptions given) {
    return Math.min(1, (double) step / given.scheduledSteps());
  }

  private static void requireLastStep(String name, ScheduleOptions given) {
    if (given.lastStep() == 0) {
      throw new UsageException(
          name + " schedule: expected a last step, found none; set --last-step");
    }
  }

  private static Schedule exponential(ScheduleOptions given) {
    double steps = given.get(EXP_DECAY_STEPS);
    double rate = given.get(EXP_RATE);
    boolean stairs = given.get(EXP_STAIRCASE) != 0;
    return (step, epochs) ->
        given.learningRate() * Math.pow(rate, stairs ? Math.floor(step / steps) : step / steps);
  }

  /**
   * Of one number N of epochs, the exponent is the number of times that N epochs have passed; of
   * several, how many of them have been reached.
   */
  private static Schedule epochs(ScheduleOptions given) {
    List<Double> every = given.get(EPOCHS_EVERY);
    double fraction = given.get(EPOCHS_FRACTION);
    return (step, epochs) -> {
      double reductions =
          every.size() == 1
              ? Math.floor(epochs / every.get(0))
              : every.stream().filter(reached -> epochs >= reached).count();
      return given.learningRate() * Math.pow(fraction, reductions);
    };
  }

  /** With dual averaging and η = 1 it is 1 / β(t) of Anytime Mini-Batch; t counts from 1. */
  private static Schedule inverseRoot(ScheduleOptions given) {
    double offset = given.get(SQRT_K);
    double examples = given.get(SQRT_MU);
    return (step, epochs) -> given.learningRate() / (offset + Math.sqrt((step + 1) / examples));
  }

  private static Schedule plateau(ScheduleOptions given, EntryArguments arguments) {
    return new OnPlateaus(
        (step, epochs) -> given.learningRate(),
        arguments.count("patience", 10, 1, Integer.MAX_VALUE),
        arguments.named("factor", 0.1, v -> v > 0 && v < 1, "above 0, below 1"));
  }

  /** A schedule whose rate plateaus reduce. */
  private record OnPlateaus(Schedule schedule, long patience, double factor) implements Schedule {
    @Override
    public double learningRate(long step, double epochs) {
      return schedule.learningRate(step, epochs);
    }
  }
}
