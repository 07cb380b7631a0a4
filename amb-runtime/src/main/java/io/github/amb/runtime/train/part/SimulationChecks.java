package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.Settings;
import java.util.List;

/** Finds contradictions among the options of the virtual cluster. */
final class SimulationChecks {
  private SimulationChecks() {}

  /**
   * @param settings the run's options
   * @param problems receives one line per contradiction
   */
  static void check(Settings settings, List<String> problems) {
    if (settings.get(ENGINE).equals(SIM)) {
      checkWorkers(settings, problems);
      checkCosts(settings, problems);
      checkTimes(settings, problems);
      checkGradients(settings, problems);
      return;
    }
    if (settings.get(ENGINE).equals(OPENMPI) && !settings.isDefault(ENCRYPT)) {
      problems.add(
          "--encrypt: expected --engine mpj, found openmpi, which has connections of its own; use a private network");
    }
    for (Setting<?> setting : SIM_ONLY) {
      if (!settings.isDefault(setting)) {
        problems.add(
            "--%s: expected --engine sim, found %s"
                .formatted(setting.name(), settings.get(ENGINE)));
      }
    }
  }

  private static void checkWorkers(Settings settings, List<String> problems) {
    int workers = settings.get(WORKERS);
    int speeds = settings.get(SPEED).size();
    if (workers == 0) {
      problems.add("--workers: expected at least 1 for --engine sim, found 0");
    } else if (speeds > workers) {
      problems.add(
          "--speed: expected at most one factor per worker (%d), found %d"
              .formatted(workers, speeds));
    }
  }

  private static void checkCosts(Settings settings, List<String> problems) {
    boolean given = Calibration.isGiven(settings);
    String cost = settings.get(COST);
    if (GIVEN.equals(cost) && !given) {
      problems.add(
          "--cost given: expected --cost-per-example or --cost-per-partition SECONDS, found"
              + " neither");
    }
    if (given
        && !settings.has(REPLAY)
        && !settings.has(WORKER_TIMES)
        && settings.get(SCHEME).equals("anytime-sgd")
        && !isAboveZero(settings.get(COST_PER_EXAMPLE))
        && !isAboveZero(settings.get(COST_PER_PARTITION))) {
      problems.add(
          "--cost-per-example: expected more than 0 with scheme anytime-sgd, whose workers compute until time has passed, found 0");
    }
    if (MEASURED.equals(cost) && given && !settings.has(RESUME)) {
      problems.add(
          "--cost measured: expected neither --cost-per-example nor --cost-per-partition, found one");
    }
  }

  private static void checkTimes(Settings settings, List<String> problems) {
    for (Setting<?> other : List.of(INDUCE, SPEED, COST_PER_EXAMPLE, COST_PER_PARTITION, REPLAY)) {
      if (settings.has(WORKER_TIMES) && settings.has(other)) {
        problems.add(
            "--worker-times: expected no --%s beside it, found %s"
                .formatted(other.name(), settings.get(other)));
      }
    }
    if (problems.isEmpty()) {
      try {
        ClusterFile.read(settings);
        if (settings.has(WORKER_TIMES)) {
          WorkerTimesFile.read(settings);
        }
      } catch (UsageException e) {
        e.getMessage().lines().forEach(problems::add);
      }
    }
  }

  private static boolean isAboveZero(Double cost) {
    return cost != null && cost > 0;
  }

  private static void checkGradients(Settings settings, List<String> problems) {
    boolean none = settings.get(GRADIENTS).equals(NONE);
    for (Setting<?> target : List.of(TARGET_ACCURACY, TARGET_LOSS, PATIENCE)) {
      if (none && settings.has(target)) {
        problems.add("--%s: expected --gradients real, found none".formatted(target.name()));
      }
    }
    if (none && settings.get(EVALUATOR).equals(PROCESS)) {
      problems.add("--evaluator process: expected --gradients real, found none");
    }
    if (!none && settings.has(PARAMETERS)) {
      problems.add("--parameters: expected --gradients none, found real");
    }
  }
}
