package io.github.amb.runtime.train;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;

import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.command.NamedCommand;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Help;
import io.github.amb.runtime.config.PrintedConfig;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RankPlacement;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.SiteLaunch;
import io.github.amb.runtime.launch.StopHook;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;

/** {@code amb train}: checks everything, creates the run directory, and starts the ranks. */
public final class TrainCommand extends NamedCommand {
  /** Limit for the end of the ranks after a signal, longer than the launcher's own limit. */
  private static final Duration RANKS_LIMIT = StopRequest.LIMIT.plusSeconds(10);

  /** Prints to standard output and standard error. */
  public TrainCommand() {
    super("train", "train a network on a master and workers");
  }

  @Override
  public Options options() {
    return CommandLine.options();
  }

  @Override
  public List<List<String>> wordsByPlace() {
    return List.of(DataSets.ALL.names(), Schemes.ALL.names(), UpdateRules.ALL.names());
  }

  @Override
  public Map<String, List<String>> values() {
    Map<String, List<String>> values = new HashMap<>(CommandLine.choices());
    values.put("network", Networks.ALL.names());
    values.put("induce", DelayModels.ALL.names());
    values.put("lrate-schedule", Schedules.ALL.names());
    return values;
  }

  @Override
  public int run(List<String> arguments) throws IOException {
    ParentWatch.start();
    try (StopHook early = new StopHook("early-stop", TrainCommand::stoppedEarly)) {
      return run(arguments, early);
    }
  }

  private static void stoppedEarly() {
    System.err.println("amb: " + RunOutcome.INTERRUPTED + " before the run began");
    Runtime.getRuntime().halt(ExitCode.STOPPED);
  }

  private static int run(List<String> arguments, StopHook early) throws IOException {
    CommandLine line = CommandLine.parse(arguments);
    if (line.help() != null) {
      System.out.print(Help.text(line.help()));
      return 0;
    }
    if (line.printConfig()) {
      print(line.settings());
      return 0;
    }
    boolean here = line.settings().get(RESTARTS) == 0 || Restarts.hasParent();
    if (here
        && !line.dryRun()
        && !ResumeOptions.awaitTurn(
            line.settings(), () -> rehearse(line), RunOwner.PROCESS.warnings())) {
      return 0;
    }
    Settings settings = RunSession.complete(line.settings());
    if (line.dryRun()) {
      return dryRun(RunSession.check(settings, RunInput.NONE));
    }
    if (settings.get(RESTARTS) > 0 && !Restarts.hasParent()) {
      early.close();
      return new Restarts(settings, line.settings()).run(arguments);
    }
    try (RunView view = RunView.of(settings.get(PROGRESS))) {
      try {
        return run(settings, arguments, early, view);
      } catch (UsageException e) {
        view.failure(ExitCode.USAGE, e.getMessage());
        throw e;
      }
    }
  }

  /** So that a standby fails now, not when it is needed, and starts faster then. */
  private static RankPlacement rehearse(CommandLine line) throws IOException {
    Settings settings = RunSession.complete(line.settings());
    return RunSession.hosts(RunSession.check(settings, RunInput.NONE).settings());
  }

  private static int run(Settings settings, List<String> arguments, StopHook early, RunView view)
      throws IOException {
    view.stage("reading " + settings.get(DATA_SET), 0, 0);
    RunParts checked = RunSession.check(settings, RunInput.NONE);
    if (checked.siteMpi()) {
      view.close();
      return SiteLaunch.run(checked.settings(), arguments, early);
    }
    RunParts parts = RunSession.price(checked, view);
    RankPlacement hosts = RunSession.hosts(parts.settings());
    List<String> command = new ArrayList<>(List.of("amb", "train"));
    command.addAll(arguments);
    return new RunSession(
            parts,
            null,
            RunOwner.PROCESS,
            command,
            hosts.describe(),
            RunSession.notes(parts),
            new Host(parts, hosts, early, view))
        .run()
        .exitCode();
  }

  /**
   * Checks a run and prints its configuration.
   *
   * @throws UsageException listing all that is wrong, after the configuration was printed
   */
  private static void print(Settings typed) {
    Settings settings = typed;
    try {
      settings = RunSession.check(RunSession.complete(typed), RunInput.NONE).settings();
    } finally {
      System.out.print(PrintedConfig.text(settings));
    }
  }

  private static int dryRun(RunParts parts) throws IOException {
    GpuPlan.note(parts.settings()).ifPresent(RunOwner.PROCESS.warnings());
    RankPlacement hosts = RunSession.hosts(parts.settings());
    RunServing.check(parts.settings());
    System.out.print(DryRun.describe(parts, hosts));
    return 0;
  }

  /**
   * A terminal, whose user reads how the run ended.
   *
   * @param hosts where the ranks are
   * @param early ends the program until the run's own ending does
   */
  private record Host(RunParts run, RankPlacement hosts, StopHook early, RunView view)
      implements RunSession.Host {
    @Override
    public RunEnding ending(RunLock lock) {
      early.close();
      Restarts.tell(lock.run().path());
      boolean local = TrainingEngine.isHere(run);
      return new RunEnding(lock, local ? StopRequest.LIMIT : RANKS_LIMIT, view);
    }

    @Override
    public RunOutcome train(RunLock lock) throws IOException {
      try {
        if (!TrainingEngine.isHere(run)) {
          return TrainingEngine.launch(run, lock, hosts, Map.of(), view);
        }
        TrainingEngine.run(run, RunOutput.in(lock.run()), RunOwner.PROCESS, view);
        return RunOutcome.DONE;
      } catch (InterruptedException e) {
        return RunSession.outcome(e);
      }
    }

    @Override
    public RunOutcome end(RunEnding ending, RunOutcome outcome) {
      return ending.tell(outcome);
    }

    @Override
    public RunOutcome failed(RunEnding ending, Throwable failure) {
      return ending.tell(RunSession.outcome(failure));
    }
  }
}
