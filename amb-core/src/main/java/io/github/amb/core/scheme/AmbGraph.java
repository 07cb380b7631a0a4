package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.option.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * Anytime Mini-Batch without a master, as in its paper: every node of a graph computes for the same
 * time T, then neighbors agree for at most r rounds and a time of at most T_c, on means that weigh
 * each node's gradient by its number of examples. The choice where nodes differ in speed from epoch
 * to epoch.
 *
 * <p>The formula is that of {@link FmbGraph}, with bᵢ the examples of the time T.
 */
final class AmbGraph extends FmbGraph {
  static final Setting<Double> CONSENSUS_TIME =
      Setting.realOrInfinite("consensus-time", Double.POSITIVE_INFINITY)
          .in("seconds above 0, or inf", value -> value > 0)
          .help("limit of the time for all rounds of an epoch, T_c");

  private final long consensusTime;
  private final boolean perExample;

  AmbGraph(SchemeOptions options) {
    super(options, AnytimeOptions.policy(options));
    consensusTime = Clock.nanos(options.get(CONSENSUS_TIME));
    perExample = options.get(FedAvg.WEIGHTS).equals("examples");
  }

  static List<String> problems(SchemeOptions options) {
    List<String> problems = new ArrayList<>(AnytimeOptions.fixedProblems(options));
    problems.addAll(FmbGraph.problems(options));
    return problems;
  }

  @Override
  long consensusTime() {
    return consensusTime;
  }

  @Override
  boolean perExample() {
    return perExample;
  }
}
