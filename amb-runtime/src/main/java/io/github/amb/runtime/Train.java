package io.github.amb.runtime;

import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.thread.UncaughtFailures;
import io.github.amb.runtime.command.OpenFiles;
import io.github.amb.runtime.command.PluginLoader;
import io.github.amb.runtime.command.Program;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.LaunchedMembership;
import io.github.amb.runtime.launch.RankControl;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.mpj.MpjEngine;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.train.ExternalLaunch;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.RunParts;
import io.github.amb.runtime.train.rank.TrainRank;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One rank of a training run, started by {@code amb train} or by MPJ Express' own launcher:
 *
 * <pre>scripts/mpjrun -np 3 io.github.amb.runtime.Train mnist fmb rms 64 --data-dir DIR</pre>
 */
public final class Train {
  private Train() {}

  /**
   * Runs one rank.
   *
   * @param arguments MPJ Express' three, then those of {@code amb train}
   */
  public static void main(String[] arguments) {
    Program.start();
    if (!MpjEngine.isRank(arguments)) {
      System.err.println(
          "amb: Train is one rank of a run; start a run with scripts/amb train …, or scripts/mpjrun -np N "
              + Train.class.getName()
              + " …");
      Runtime.getRuntime().halt(ExitCode.USAGE);
    }
    int rank = Integer.parseInt(arguments[0]);
    List<String> options = Arrays.asList(arguments).subList(3, arguments.length);
    boolean shared = MpjEngine.sharesJvm(arguments);
    checkSecret(rank);
    RankControl control = RankControl.start(arguments);
    new UncaughtFailures((thread, failure) -> RankExit.failed(control, thread, failure));
    try {
      OpenFiles.check();
      run(arguments, options, control);
      RankExit.done(control, shared);
    } catch (UsageException e) {
      RankExit.rejected(control, e, shared);
    } catch (Throwable e) {
      RankExit.failed(control, e);
    }
  }

  /** Prints the problem here, as a rank without the secret cannot report it to its launcher. */
  private static void checkSecret(int rank) {
    try {
      RunSecret.check(rank);
    } catch (EngineException e) {
      System.err.println(e.getMessage());
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
  }

  private static void run(String[] arguments, List<String> options, RankControl control)
      throws IOException {
    Program.check(options);
    PluginLoader.startRank(options);
    // Each rank reads the resumed run before all are connected, as the master changes it then.
    Settings given =
        control.isLaunched()
            ? RecordedSettings.parse(control.input())
            : ExternalLaunch.settings(options);
    if (!given.isDefault(ENCRYPT)) {
      encrypt(control, arguments[2]);
    }
    LaunchedMembership membership =
        new LaunchedMembership(arguments, control, given.get(START_LIMIT) + given.get(STALL_AFTER));
    if (control.isLaunched()) {
      train(given, membership, control);
    } else {
      external(given, membership, control.rank(), arguments[2], options);
    }
    // Not after a failure: this would wait for the others' goodbyes.
    membership.engine().close();
  }

  private static void encrypt(RankControl control, String device) {
    String lack = control.isLaunched() ? null : RunSecret.lackOf(device);
    if (lack != null) {
      throw new UsageException("--encrypt: expected a secret of the run, found none: " + lack);
    }
    System.setProperty(MpjEngine.ENCRYPT_PROPERTY, "true");
  }

  private static void train(Settings settings, LaunchedMembership membership, RankControl control)
      throws IOException {
    int self = control.rank();
    GpuPlan.of(settings).ifPresent(plan -> plan.start(self));
    TrainRank rank = new TrainRank(RunParts.of(settings), self, new SystemClock(), System.out);
    if (self != Communicator.MASTER) {
      rank.worker(membership);
      return;
    }
    RunDirectory run = new RunDirectory(Path.of(settings.get(RUN_DIRECTORY)));
    try (RunLock lock = RunLock.join(run, System.getenv())) {
      rank.master(RunOutput.in(lock.run()), membership, control::progress);
    }
  }

  /** Trains as a rank of MPJ Express' own launcher. */
  private static void external(
      Settings given, LaunchedMembership membership, int self, String device, List<String> options)
      throws IOException {
    String lack = RunSecret.lackOf(device);
    if (lack != null && self == Communicator.MASTER) {
      System.err.println("amb: " + lack);
    }
    if (!given.get(ENGINE).equals(MPJ)) {
      throw new UsageException(
          "expected --engine mpj for a rank of MPJ, found %s; use scripts/amb train …",
          given.get(ENGINE));
    }
    RunParts parts = ExternalLaunch.parts(given, workers(membership), self);
    List<String> launcher = List.of("mpjrun", Train.class.getName());
    ExternalLaunch.train(parts, self, membership, launcher, options, Map.of());
  }

  private static int workers(LaunchedMembership membership) {
    int ranks = membership.first().communicator().size();
    if (ranks < 2) {
      throw new UsageException(
          "expected at least 2 ranks, a master and a worker, found -np 1; to train without MPI use"
              + " scripts/amb train … --workers 0");
    }
    return ranks - 1;
  }
}
