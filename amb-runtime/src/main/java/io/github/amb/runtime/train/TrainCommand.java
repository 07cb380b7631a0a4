package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.ExitCode;
import io.github.amb.core.command.NamedCommand;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Help;
import io.github.amb.runtime.config.PrintedConfig;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.SiteLaunch;
import io.github.amb.runtime.launch.StopHook;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
import io.github.amb.runtime.train.part.Calibration;
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
    if (line.dryRun()) {
      return dryRun(TrainingEngine.check(TrainingEngine.complete(line.settings()), RunInput.NONE));
    }
    Settings settings = TrainingEngine.complete(line.settings());
    try (RunView view = RunView.of(settings.get(PROGRESS))) {
      try {
        return run(settings, arguments, early, view);
      } catch (UsageException e) {
        view.failure(ExitCode.USAGE, e.getMessage());
        throw e;
      }
    }
  }

  private static int run(Settings settings, List<String> arguments, StopHook early, RunView view)
      throws IOException {
    view.stage("reading " + settings.get(DATA_SET), 0, 0);
    RunParts parts = TrainingEngine.check(settings, RunInput.NONE);
    if (parts.siteMpi()) {
      view.close();
      return SiteLaunch.run(parts.settings(), arguments, early);
    }
    if (parts.simulated()) {
      if (Calibration.isMeasured(parts.settings())) {
        view.stage("calibrating " + parts.settings().get(NETWORK), 0, 0);
      }
      parts = Calibration.price(parts);
    }
    HostPlan hosts = TrainingEngine.hosts(parts.settings());
    RunServing.check(parts.settings());
    List<String> command = new ArrayList<>(List.of("amb", "train"));
    command.addAll(arguments);
    boolean resumed = parts.settings().has(RESUME);
    try (RunLock lock =
        resumed
            ? ResumeOptions.prepare(parts, RunOwner.PROCESS)
            : RunWriter.create(parts.settings(), command, RunOwner.PROCESS)) {
      if (hosts != null) {
        RunWriter.addEnvironment(lock.run(), hosts.describe());
      }
      TrainingEngine.notes(parts).forEach(note -> System.err.println("amb: " + note));
      early.close();
      return train(parts, lock, hosts, view);
    }
  }

  /**
   * Checks a run and prints its configuration.
   *
   * @throws UsageException listing all that is wrong, after the configuration was printed
   */
  private static void print(Settings typed) {
    Settings settings = typed;
    try {
      settings = TrainingEngine.check(TrainingEngine.complete(typed), RunInput.NONE).settings();
    } finally {
      System.out.print(PrintedConfig.text(settings));
    }
  }

  private static int dryRun(RunParts parts) throws IOException {
    GpuPlan.note(parts.settings()).ifPresent(note -> System.err.println("amb: " + note));
    HostPlan hosts = TrainingEngine.hosts(parts.settings());
    RunServing.check(parts.settings());
    System.out.print(DryRun.describe(parts, hosts));
    return 0;
  }

  private static int train(RunParts parts, RunLock lock, HostPlan hosts, RunView view)
      throws IOException {
    RunDirectory run = lock.run();
    boolean local = TrainingEngine.isHere(parts);
    try (RunEnding ending = new RunEnding(lock, local ? StopRequest.LIMIT : RANKS_LIMIT, view);
        RunServing serving = RunServing.start(parts.settings(), run, RunOwner.PROCESS.warnings())) {
      int code = ending.tell(local ? here(parts, run, view) : launch(parts, lock, hosts, view));
      serving.awaitEvaluator();
      return code;
    }
  }

  private static RunOutcome here(RunParts parts, RunDirectory run, RunView view) {
    try {
      TrainingEngine.run(parts, RunOutput.in(run), RunOwner.PROCESS, view);
      return new RunOutcome(0, "");
    } catch (Throwable e) {
      return FailureKinds.of(e);
    }
  }

  private static RunOutcome launch(RunParts parts, RunLock lock, HostPlan hosts, RunView view) {
    try {
      return TrainingEngine.launch(parts, lock, hosts, Map.of(), view);
    } catch (UsageException | IOException | InterruptedException e) {
      return FailureKinds.of(e);
    }
  }
}
