package io.github.amb.core.scheme;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The schemes by name. To add one, add a class and a line here. */
public final class Schemes {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "scheme",
          List.of(
              new Entry("fmb", "wait for every worker's whole batch", FixedMiniBatch::new),
              new Entry("sync", "another name of fmb", FixedMiniBatch::new),
              new Entry(
                  "amb",
                  "the same time for every worker",
                  AnytimeMiniBatch::new,
                  AnytimeMiniBatch::problems,
                  AnytimeMiniBatch.TIME_LIMIT,
                  AnytimeMiniBatch.NUM_PARTITIONS),
              new Entry(
                  "k-sync",
                  "wait for the first k workers, drop the others' gradients",
                  KSync::new,
                  KSync::problems,
                  KSync.NUM_AGGREGATE),
              new Entry(
                  "async", "update with every gradient as it comes (ASGD)", AsynchronousSgd::new),
              new Entry(
                  "ssp",
                  "async, but no worker more than s batches ahead (stale synchronous parallel)",
                  StaleSynchronousParallel::new,
                  StaleSynchronousParallel.STALENESS),
              new Entry(
                  "dcasgd",
                  "async, gradients corrected for their delay (DC-ASGD)",
                  DelayCompensatedSgd::new,
                  DelayCompensatedSgd.MODE,
                  DelayCompensatedSgd.LAMBDA,
                  DelayCompensatedSgd.DECAY),
              new Entry(
                  "amb-dg",
                  "amb whose workers never wait, with delayed gradients",
                  DelayedGradients::fixedTime,
                  AnytimeMiniBatch::fixedProblems,
                  AnytimeMiniBatch.TIME_LIMIT,
                  AnytimeMiniBatch.NUM_PARTITIONS,
                  DelayedGradients.MASTER,
                  DelayedGradients.MASTER_TIME_LIMIT,
                  DelayedGradients.MASTER_BATCH_MIN,
                  DelayedGradients.DELAY_STD),
              new Entry(
                  "fmb-dg",
                  "fmb whose workers never wait, with delayed gradients (K-batch async)",
                  DelayedGradients::fixedBatch,
                  DelayedGradients.MASTER,
                  DelayedGradients.MASTER_TIME_LIMIT,
                  DelayedGradients.MASTER_BATCH_MIN,
                  DelayedGradients.DELAY_STD),
              new Entry(
                  "local-sgd",
                  "H local steps per worker, then average the parameters",
                  LocalUpdates::localSgd,
                  LocalUpdates.LOCAL_STEPS),
              new Entry(
                  "diloco",
                  "H local steps per worker, then an outer Nesterov step",
                  LocalUpdates::diLoCo,
                  LocalUpdates.LOCAL_STEPS,
                  LocalUpdates.OUTER_LEARNING_RATE,
                  LocalUpdates.OUTER_MOMENTUM),
              new Entry(
                  "anytime-sgd",
                  "local steps for a fixed time, parameters weighted by work done",
                  LocalUpdates::anytime,
                  AnytimeMiniBatch::fixedLimitProblems,
                  AnytimeMiniBatch.TIME_LIMIT),
              new Entry(
                  "esync",
                  "local steps that fill the slowest worker's time",
                  ESync::new,
                  ESync::problems,
                  LocalUpdates.OUTER_LEARNING_RATE,
                  ESync.EPSILON,
                  ESync.EPSILON_SECONDS,
                  ESync.SMOOTHING,
                  ESync.PARTITIONS,
                  ESync.WEIGHTING),
              new Entry(
                  "coded",
                  "every example at s + 1 workers, recover the sum without s of them",
                  GradientCoding::new,
                  GradientCoding::problems,
                  GradientCoding.STRAGGLERS,
                  GradientCoding.CODE)));

  private Schemes() {}

  /**
   * A scheme that a user can name.
   *
   * @param name what the user types
   * @param summary one line for help
   * @param factory makes the scheme from options that have no problems
   * @param check says what is wrong with options that are each in range, in lines; empty if nothing
   *     is
   * @param options the options it has
   */
  public record Entry(
      String name,
      String summary,
      Function<SchemeOptions, Scheme> factory,
      Function<SchemeOptions, List<String>> check,
      List<SchemeOption<?>> options)
      implements Registry.Entry {
    Entry(
        String name,
        String summary,
        Function<SchemeOptions, Scheme> factory,
        SchemeOption<?>... options) {
      this(name, summary, factory, given -> List.of(), List.of(options));
    }

    Entry(
        String name,
        String summary,
        Function<SchemeOptions, Scheme> factory,
        Function<SchemeOptions, List<String>> check,
        SchemeOption<?>... options) {
      this(name, summary, factory, check, List.of(options));
    }

    /**
     * The scheme with these options.
     *
     * @throws UsageException naming everything that is wrong with them
     */
    public Scheme create(SchemeOptions given) {
      List<String> problems = new ArrayList<>();
      options.forEach(option -> addProblem(option, given, problems));
      given.given().stream()
          .filter(option -> !options.contains(option))
          .forEach(option -> problems.add(notMine(option)));
      if (problems.isEmpty()) {
        problems.addAll(check.apply(given));
      }
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
      return factory.apply(given);
    }

    private <T> void addProblem(
        SchemeOption<T> option, SchemeOptions given, List<String> problems) {
      T value = given.get(option);
      if (value == null && option.required()) {
        problems.add(
            "scheme %s: expected %s: %s; found none"
                .formatted(name, option.usage(), option.help()));
      } else if (value != null && !option.valid().test(value)) {
        problems.add("--%s: expected %s, found %s".formatted(option.name(), option.range(), value));
      }
    }

    private String notMine(SchemeOption<?> option) {
      return "scheme %s: has no use for --%s, which belongs to %s; leave it out or change the scheme"
          .formatted(name, option.name(), owners(option));
    }

    private static String owners(SchemeOption<?> option) {
      return String.join(
          ", ",
          ALL.all().stream()
              .filter(entry -> entry.options().contains(option))
              .map(Entry::name)
              .toList());
    }
  }

  /** All schemes, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /** The options of all schemes, each once, in the order of the schemes. */
  public static List<SchemeOption<?>> options() {
    List<SchemeOption<?>> options = new ArrayList<>();
    for (Entry entry : ALL.all()) {
      entry.options().stream().filter(o -> !options.contains(o)).forEach(options::add);
    }
    return List.copyOf(options);
  }

  /**
   * The scheme called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.named(name);
  }
}
