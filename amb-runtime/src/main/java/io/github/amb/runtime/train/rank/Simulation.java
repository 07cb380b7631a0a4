package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.Hold;
import io.github.amb.core.sim.Trace;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.sim.WorkTime;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.train.part.ReplayOptions;
import io.github.amb.runtime.train.part.RunParts;
import java.util.List;

/**
 * The virtual cluster of a run.
 *
 * @param ranks number of ranks, including the master
 * @param costs latency in seconds and bandwidth in bits per second
 * @param workTime duration of work on each rank
 * @param weight parameters that one value of a payload stands for
 * @param trace the replayed run, or null
 */
record Simulation(int ranks, CostModel costs, WorkTime workTime, int weight, Trace trace) {
  private static final double BITS = 8;

  /**
   * The virtual cluster that the settings of a checked run describe, with all costs known.
   *
   * @throws UsageException if the replayed run cannot be read
   */
  static Simulation of(RunParts run) {
    Settings settings = run.settings();
    int workers = settings.get(WORKERS);
    CostModel costs = costs(settings);
    WorkTime workTime = costs.workTime(speeds(settings.get(SPEED)));
    int weight = run.timingOnly() ? settings.get(PARAMETERS) : 1;
    if (!settings.has(REPLAY)) {
      return new Simulation(workers + 1, costs, workTime, weight, null);
    }
    Trace trace = ReplayOptions.trace(settings);
    return new Simulation(workers + 1, costs, trace.workTime(workTime), weight, trace);
  }

  VirtualCluster cluster() {
    Hold hold = trace == null ? Hold.NONE : trace.hold();
    return new VirtualCluster(ranks, costs, workTime, weight, hold);
  }

  private static CostModel costs(Settings settings) {
    return new CostModel(
        settings.get(COST_PER_EXAMPLE),
        settings.get(COST_PER_PARTITION),
        settings.get(COST_PER_PARAMETER),
        settings.has(COST_PER_TEST_EXAMPLE) ? settings.get(COST_PER_TEST_EXAMPLE) : 0,
        settings.get(COST_PER_ENCODED_ENTRY),
        settings.get(COST_PER_DECODED_ENTRY),
        settings.get(LATENCY),
        settings.get(BANDWIDTH) / BITS);
  }

  /** Speeds of all ranks; the master has speed 1. */
  private static double[] speeds(List<Double> workers) {
    double[] speeds = new double[workers.size() + 1];
    speeds[0] = 1;
    for (int i = 0; i < workers.size(); i++) {
      speeds[i + 1] = workers.get(i);
    }
    return speeds;
  }
}
