package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.RESUME;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.EvaluatorProcess;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A run whose ranks are started by another program's launcher. Its master creates the run
 * directory.
 */
public final class ExternalLaunch {
  private ExternalLaunch() {}

  /**
   * The typed settings, completed by those of the run that {@code --resume} names, if any.
   *
   * @throws UsageException if that run cannot be resumed
   */
  public static Settings complete(Settings typed) {
    return ResumeOptions.complete(typed);
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
    try (RunLock lock =
        settings.has(RESUME)
            ? ResumeOptions.prepare(RunParts.of(settings))
            : RunWriter.create(settings, command)) {
      RunDirectory run = lock.run();
      RunWriter.addEnvironment(run, facts);
      try (RunEnding ending = RunEnding.unlaunched(lock);
          EvaluatorProcess evaluator = SeparateEvaluation.start(settings, run)) {
        train(rank, run, membership, ending);
        evaluator.await();
      }
    }
  }

  private static void train(
      TrainRank rank, RunDirectory run, Membership membership, RunEnding ending)
      throws IOException {
    try {
      rank.master(run, membership);
    } catch (Throwable e) {
      RunOutcome failure = new RunOutcome(Amb.FAILED, Amb.describe(e));
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
