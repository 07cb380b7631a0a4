package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import java.util.ArrayList;
import java.util.List;

/** The options of schemes whose workers compute for a time, and what is wrong with them. */
public final class AnytimeOptions {
  /** A time limit that the master chooses and adapts during the run. */
  public static final double AUTO = Double.NaN;

  /** As {@link #AUTO}, chosen for progress per second, not for examples per second. */
  public static final double AUTO_ACCURACY = Double.NEGATIVE_INFINITY;

  /** The time T that each worker computes per step, in seconds, or {@link #AUTO}. */
  public static final Setting<Double> TIME_LIMIT =
      Setting.<Double>of("amb-time-limit", null, JsonForm.NUMBER_OR_TEXT, AnytimeOptions::limit)
          .in("seconds above 0, auto, or auto:accuracy", value -> value > 0 || isAuto(value))
          .help("how long each worker computes per step, T; amb finds the best with auto")
          .mustBeGiven();

  /** The number P of slices per batch. */
  public static final Setting<Integer> NUM_PARTITIONS =
      Setting.integer("amb-num-partitions", null, 1)
          .help("slices per batch, P, at most the batch size")
          .mustBeGiven();

  private AnytimeOptions() {}

  private static double limit(String text) {
    return switch (text) {
      case "auto" -> AUTO;
      case "auto:accuracy" -> AUTO_ACCURACY;
      default -> Setting.finiteOrInfinite(text);
    };
  }

  /** Whether a time limit is {@link #AUTO} or {@link #AUTO_ACCURACY}. */
  public static boolean isAuto(double limit) {
    return Double.isNaN(limit) || limit == AUTO_ACCURACY;
  }

  /** How batches are cut; without a time limit if the master chooses it. */
  public static BatchPolicy policy(SchemeOptions options) {
    double limit = options.get(TIME_LIMIT);
    long nanos = isAuto(limit) ? Clock.NEVER : Clock.nanos(limit);
    return new BatchPolicy(options.batchSize(), options.get(NUM_PARTITIONS), nanos);
  }

  /** What is wrong with a scheme whose time limit the master cannot choose. */
  static List<String> fixedLimitProblems(SchemeOptions options) {
    return isAuto(options.get(TIME_LIMIT))
        ? List.of(
            "--amb-time-limit: expected seconds, found auto, which only scheme amb with workers has")
        : List.of();
  }

  /** What is wrong with a scheme whose workers compute until their time is over. */
  static List<String> finiteLimitProblems(SchemeOptions options) {
    return Double.isInfinite(options.get(TIME_LIMIT))
        ? List.of("--amb-time-limit: expected seconds, found inf, which ends no step")
        : fixedLimitProblems(options);
  }

  /** What is wrong with partitions and a time limit that the master cannot choose, in lines. */
  public static List<String> fixedProblems(SchemeOptions options) {
    List<String> problems = new ArrayList<>(fixedLimitProblems(options));
    problems.addAll(partitionProblems(options, NUM_PARTITIONS));
    return problems;
  }

  /** What is wrong with partitions and a time limit that the master of some workers chooses. */
  static List<String> problems(SchemeOptions options) {
    return options.workers() == 0
        ? fixedProblems(options)
        : partitionProblems(options, NUM_PARTITIONS);
  }

  /** What is wrong with more slices than a batch has examples, in lines. */
  static List<String> partitionProblems(SchemeOptions options, Setting<Integer> partitions) {
    return options.get(partitions) <= options.batchSize()
        ? List.of()
        : List.of(
            "--%s: expected 1 to %d (the batch size), found %d"
                .formatted(partitions.name(), options.batchSize(), options.get(partitions)));
  }
}
