package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.context.TooFewWorkersException;
import io.github.amb.models.device.NvidiaSmi;
import io.github.amb.models.network.NetworkSettings;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.FailurePolicy;
import io.github.amb.runtime.launch.JvmCommand;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.RankPlacement;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.RunParts;
import io.github.amb.runtime.train.rank.ProcessEnvironment;
import io.github.amb.runtime.train.rank.TrainRank;
import io.github.amb.runtime.train.rank.VirtualTraining;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Trains on the engine that a run's settings choose. */
final class TrainingEngine {
  private TrainingEngine() {}

  /** Whether a run has no ranks besides this process. */
  static boolean isHere(RunParts run) {
    return run.simulated() || run.settings().get(WORKERS) == 0;
  }

  /**
   * Trains in this process, in virtual time or without workers.
   *
   * @param run checked, with all costs known
   * @param output keeps the records and checkpoints
   * @param view shows how far training is
   * @throws IOException if a file cannot be written
   * @throws RuntimeException the first failure of a rank
   */
  static void run(RunParts run, RunOutput output, RunOwner owner, RunView view) throws IOException {
    if (!run.timingOnly()) {
      view.stage("preparing " + run.settings().get(NetworkSettings.NETWORK), 0, 0);
    }
    try {
      if (run.simulated()) {
        VirtualTraining.run(run, output, owner, view::progress);
      } else {
        local(run, output, owner, view);
      }
    } catch (UsageException | TooFewWorkersException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      trace(output, owner, e);
      throw e;
    }
  }

  private static void local(RunParts run, RunOutput output, RunOwner owner, RunView view)
      throws IOException {
    try (PrintStream log = output.console(Communicator.MASTER, true)) {
      GpuPlan.of(run.settings()).ifPresent(plan -> plan.start(Communicator.MASTER));
      ProcessEnvironment host = ProcessEnvironment.of(run, Communicator.MASTER);
      new TrainRank(run, Communicator.MASTER, new SystemClock(), log, host, owner)
          .local(output, view::progress);
    }
  }

  /** Writes the stack trace to the log; a failure to write does not hide the cause. */
  private static void trace(RunOutput output, RunOwner owner, Throwable cause) {
    try (PrintStream log = output.console(Communicator.MASTER, true)) {
      cause.printStackTrace(log);
    } catch (IOException e) {
      owner.warnings().accept("cannot write the log of rank 0: " + e.getMessage());
    }
  }

  /**
   * Trains with processes; none is left on return.
   *
   * @param lock of the run's directory, on which the master relies
   * @param hosts where the ranks are
   * @param environment variables for every rank
   * @param view shows how far training is
   * @throws IOException if a log or a process cannot be created
   * @throws InterruptedException if the calling thread is interrupted
   */
  static RunOutcome launch(
      RunParts run,
      RunLock lock,
      RankPlacement hosts,
      Map<String, String> environment,
      RunView view)
      throws IOException, InterruptedException {
    Settings settings = run.settings();
    Map<String, String> writer = lock.open(hosts.launcher());
    List<Integer> here = hosts.ranksHere(settings.get(WORKERS));
    Map<Integer, String> cards =
        GpuPlan.of(settings).map(plan -> plan.cards(here)).orElse(Map.of());
    IntFunction<Map<String, String>> variables =
        rank -> {
          Map<String, String> all = new HashMap<>(environment);
          if (rank == Communicator.MASTER) {
            all.putAll(writer);
          }
          if (cards.containsKey(rank)) {
            all.put(NvidiaSmi.VISIBLE, cards.get(rank));
          }
          return all;
        };
    String heap = "-Xmx" + settings.get(MASTER_HEAP) + "m";
    boolean shares = !settings.get(SHARED_MEMORY).equals(TrainSettings.NONE);
    LaunchPlan.Program program =
        new LaunchPlan.Program(
            shares ? List.of(heap) : List.of(heap, "-D" + MpjEngine.SHARED_PROPERTY + "="),
            List.of("-Xmx" + settings.get(WORKER_HEAP) + "m"),
            JvmCommand.RANK,
            PluginLoader.option(),
            settings.with(RUN_DIRECTORY, lock.run().path()).toJson(),
            variables);
    FailurePolicy survival =
        new FailurePolicy(
            run.minWorkers(),
            seconds(settings.get(DEAD_AFTER)),
            seconds(settings.get(STALL_AFTER)),
            settings.get(RESPAWN));
    return Launcher.run(
        new LaunchPlan(
            settings.get(WORKERS) + 1,
            program,
            lock.run().path(),
            seconds(settings.get(START_LIMIT)),
            line -> {},
            survival,
            hosts,
            view));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1e3));
  }
}
