package io.github.amb.runtime.train;

import static io.github.amb.runtime.console.OutputSettings.PROGRESS;
import static io.github.amb.runtime.host.RankSettings.BIND;
import static io.github.amb.runtime.host.RankSettings.HOSTS;
import static io.github.amb.runtime.host.RankSettings.REMOTE_SHELL;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.GpuPlan;
import io.github.amb.runtime.train.part.RunParts;
import io.github.amb.runtime.train.rank.TrainRank;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A run whose ranks are started by another program's launcher, each with the user's command line.
 * Its master creates the run directory.
 */
public final class ExternalLaunch {
  private ExternalLaunch() {}

  /**
   * What a rank's command line says, with the options of a run to be resumed.
   *
   * @throws UsageException listing all that is wrong
   */
  public static Settings settings(List<String> arguments) {
    Settings typed = CommandLine.parse(arguments).settings();
    if (ResumeOptions.isAuto(typed)) {
      throw new UsageException(
          "--resume auto: expected a run directory, as each rank would look for one by itself");
    }
    return ResumeOptions.complete(typed);
  }

  /**
   * The parts of a rank's run.
   *
   * @param workers how many the launcher has started
   * @param rank this one's number
   * @throws UsageException listing all that is wrong, as in {@link #withWorkers}
   */
  public static RunParts parts(Settings given, int workers, int rank) {
    Settings settings = withWorkers(given, workers);
    GpuPlan.of(settings).ifPresent(plan -> plan.start(rank));
    return RunParts.of(settings);
  }

  /**
   * The settings of a run of so many workers.
   *
   * @throws UsageException if {@code --workers} is another number, or an option places the ranks,
   *     which the launcher has done
   */
  static Settings withWorkers(Settings settings, int workers) {
    List<String> problems = new ArrayList<>();
    if (settings.has(WORKERS) && settings.get(WORKERS) != workers) {
      problems.add(
          "--workers: expected %d for %d ranks, found %d"
              .formatted(workers, workers + 1, settings.get(WORKERS)));
    }
    for (Setting<?> place : List.of(HOSTS, REMOTE_SHELL, BIND)) {
      if (!settings.isDefault(place)) {
        problems.add(
            "--%s: expected none, as another launcher has started the ranks, found %s; use scripts/amb train …"
                .formatted(place.name(), settings.get(place)));
      }
    }
    UsageException.expectNone(problems);
    return settings.with(WORKERS, workers);
  }

  /**
   * Trains as one rank. The master does so from the creation of the run directory to the recorded
   * ending.
   *
   * @param rank its number
   * @param launcher the first words of the command, as {@code run.json} has it
   * @param arguments what the user typed after them
   * @param facts about the engine, for {@code run.json}
   */
  public static void train(
      RunParts parts,
      int rank,
      Membership membership,
      List<String> launcher,
      List<String> arguments,
      Map<String, String> facts)
      throws IOException {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    TrainRank part = new TrainRank(parts, rank, new SystemClock(), nowhere);
    if (rank != Communicator.MASTER) {
      part.worker(membership);
      return;
    }
    List<String> command = new ArrayList<>(launcher);
    command.addAll(arguments);
    // A launcher's pseudo-terminal is not the user's: its output may go to a file or a pipe.
    String choice = parts.settings().get(PROGRESS);
    try (RunView view = RunView.of(choice.equals(RunView.AUTO) ? RunView.PLAIN : choice)) {
      List<String> notes = GpuPlan.note(parts.settings()).stream().toList();
      Host host = new Host(part, membership, view);
      new RunSession(parts, null, RunOwner.PROCESS, command, facts, notes, host).run();
    }
  }

  /** The master, whose failure its caller reports. */
  private record Host(TrainRank rank, Membership membership, RunView view)
      implements RunSession.Host {
    @Override
    public RunEnding ending(RunLock lock) {
      return RunEnding.unlaunched(lock, view);
    }

    @Override
    public RunOutcome train(RunLock lock) throws IOException {
      rank.master(RunOutput.in(lock.run()), membership, view::progress);
      return RunOutcome.DONE;
    }

    @Override
    public RunOutcome end(RunEnding ending, RunOutcome outcome) throws IOException {
      RunOutcome certain = ending.write(outcome);
      if (certain.exitCode() != 0) {
        throw new EngineException(ending.causeAndRemedy(certain));
      }
      return ending.tell(certain);
    }

    @Override
    public RunOutcome failed(RunEnding ending, Throwable failure) {
      RunOutcome failed = new RunOutcome(ExitCode.FAILED, FailureText.of(failure));
      ending.writeAfter(failure, failed);
      throw new EngineException(ending.causeAndRemedy(failed), failure);
    }
  }
}
