package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.scheme.context.BatchPolicy;
import java.util.ArrayList;
import java.util.List;

/** The options of schemes whose workers compute for a time, and what is wrong with them. */
final class AnytimeOptions {
  /** A time limit that the master chooses and adapts during the run. */
  static final double AUTO = -1;

  static final SchemeOption<Double> TIME_LIMIT =
      new SchemeOption<>(
          "amb-time-limit",
          text -> text.equals("auto") ? Double.valueOf(AUTO) : SchemeOption.parseReal(text),
          value -> value > 0 || value == AUTO,
          "seconds above 0, or auto",
          null,
          true,
          "how long each worker computes per step, T; amb finds the best with auto");
  static final SchemeOption<Integer> NUM_PARTITIONS =
      SchemeOption.integer(
          "amb-num-partitions", null, 1, "slices per batch, P, at most the batch size");

  private AnytimeOptions() {}

  /** How batches are cut; without a time limit if the master chooses it. */
  static BatchPolicy policy(SchemeOptions options) {
    double limit = options.get(TIME_LIMIT);
    long nanos = limit == AUTO ? Clock.NEVER : Clock.nanos(limit);
    return new BatchPolicy(options.batchSize(), options.get(NUM_PARTITIONS), nanos);
  }

  /** What is wrong with a scheme whose time limit the master cannot choose. */
  static List<String> fixedLimitProblems(SchemeOptions options) {
    return options.get(TIME_LIMIT) == AUTO
        ? List.of("--amb-time-limit auto: expected scheme amb and workers; give seconds instead")
        : List.of();
  }

  /** What is wrong with a fixed time limit and partitions. */
  static List<String> fixedProblems(SchemeOptions options) {
    List<String> problems = new ArrayList<>(fixedLimitProblems(options));
    problems.addAll(partitionProblems(options));
    return problems;
  }

  static List<String> problems(SchemeOptions options) {
    return options.workers() == 0 ? fixedProblems(options) : partitionProblems(options);
  }

  private static List<String> partitionProblems(SchemeOptions options) {
    return options.get(NUM_PARTITIONS) <= options.batchSize()
        ? List.of()
        : List.of(
            "--amb-num-partitions: expected 1 to %d (the batch size), found %d"
                .formatted(options.batchSize(), options.get(NUM_PARTITIONS)));
  }
}
