package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.BIND;
import static io.github.amb.runtime.config.TrainSettings.HOSTS;
import static io.github.amb.runtime.config.TrainSettings.PROGRESS;
import static io.github.amb.runtime.config.TrainSettings.REMOTE_SHELL;
import static io.github.amb.runtime.config.TrainSettings.RESUME;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;

import io.github.amb.core.command.ExitCode;
import io.github.amb.core.command.Setting;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.program.FailureText;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunOutput;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.directory.RunWriter;
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
 * A run whose ranks are started by another program's launcher. Its master creates the run
 * directory.
 */
public final class ExternalLaunch {
  private ExternalLaunch() {}

  /** Where a rank prints a line per step if there is no log of its own for them. */
  public static PrintStream nowhere() {
    return new PrintStream(OutputStream.nullOutputStream());
  }

  /**
   * The settings of a run of so many workers.
   *
   * @throws UsageException if {@code --workers} is another number, or an option places the ranks,
   *     which the launcher has done
   */
  public static Settings withWorkers(Settings settings, int workers) {
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
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return settings.with(WORKERS, workers);
  }

  /**
   * Runs the master from the creation of the run directory to the recorded ending.
   *
   * @param command what the user typed
   * @param facts about the engine, for {@code run.json}
   */
  public static void master(
      TrainRank rank,
      Membership membership,
      Settings settings,
      List<String> command,
      Map<String, String> facts)
      throws IOException {
    RunServing.check(settings);
    GpuPlan.note(settings).ifPresent(note -> System.err.println("amb: " + note));
    try (RunLock lock =
        settings.has(RESUME)
            ? ResumeOptions.prepare(RunParts.of(settings), RunOwner.PROCESS)
            : RunWriter.create(settings, command, RunOwner.PROCESS)) {
      RunDirectory run = lock.run();
      RunWriter.addEnvironment(run, facts);
      try (RunView view = view(settings.get(PROGRESS));
          RunEnding ending = RunEnding.unlaunched(lock, view);
          RunServing serving = RunServing.start(settings, run, RunOwner.PROCESS.warnings())) {
        train(rank, run, membership, ending, view);
        serving.awaitEvaluator();
      }
    }
  }

  /** A launcher's pseudo-terminal is not the user's: its output may go to a file or a pipe. */
  private static RunView view(String choice) {
    return RunView.of(choice.equals(RunView.AUTO) ? RunView.PLAIN : choice);
  }

  private static void train(
      TrainRank rank, RunDirectory run, Membership membership, RunEnding ending, RunView view)
      throws IOException {
    try {
      rank.master(RunOutput.in(run), membership, view::progress);
    } catch (Throwable e) {
      RunOutcome failure = new RunOutcome(ExitCode.FAILED, FailureText.of(e));
      try {
        ending.write(failure);
      } catch (IOException unwritten) {
        e.addSuppressed(unwritten); // The cause is reported even if closing fails.
      }
      throw new EngineException(ending.causeAndRemedy(failure), e);
    }
    RunOutcome certain = ending.write(new RunOutcome(0, ""));
    if (certain.exitCode() != 0) {
      throw new EngineException(ending.causeAndRemedy(certain));
    }
    ending.tell(certain);
  }
}
