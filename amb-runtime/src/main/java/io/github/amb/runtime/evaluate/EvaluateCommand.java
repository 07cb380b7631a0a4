package io.github.amb.runtime.evaluate;

import static io.github.amb.runtime.config.TrainSettings.AVX2;
import static io.github.amb.runtime.config.TrainSettings.NONE;
import static io.github.amb.runtime.config.TrainSettings.REPRODUCIBLE;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.RunProvenance;
import io.github.amb.runtime.train.part.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Options;

/**
 * {@code amb evaluate}: tests one checkpoint, all of a run's, or, with {@code --watch}, each new
 * one while the run trains.
 */
public final class EvaluateCommand extends OptionsCommand {
  private static final double POLL = 2;
  private static final double IDLE_LIMIT = 600;

  /**
   * How long to wait for another evaluator: that of a run which is resumed at once is about to end.
   */
  private static final Duration PATIENCE =
      ParentWatch.isLaunched() ? Duration.ofSeconds(10) : Duration.ZERO;

  /** Prints to standard output and standard error. */
  public EvaluateCommand() {
    super(
        "evaluate",
        "RUN|CHECKPOINT",
        "test one checkpoint, all of a run's, or each new one while the run trains");
  }

  @Override
  public int run(List<String> arguments) throws IOException, InterruptedException {
    ParentWatch.start();
    return super.run(arguments);
  }

  @Override
  protected int run(Arguments given) throws IOException, InterruptedException {
    String name = given.single("one run directory or checkpoint");
    Path path = RunDirectory.named(name).path().toAbsolutePath().normalize();
    RunDirectory run = runAt(path);
    boolean whole = run.path().equals(path);
    RunInfo info = RunOptions.info("", run);
    notes(info, System.getenv("OMP_NUM_THREADS")).forEach(note -> err.println("amb: " + note));
    int size = (int) given.number("test-size").orElse(-1);
    RunModel model = new RunModel(info, given.value("data-dir", null), size);
    try (model;
        RunLock lock = RunLock.evaluating(run, PATIENCE);
        RunEvaluation evaluation =
            new RunEvaluation(lock.run(), model, given.value("by", ""), out, err)) {
      List<SavedParameters> all = given.has("by") && whole ? SavedParameters.of(run) : List.of();
      SavedParameters newest = all.isEmpty() ? null : all.get(all.size() - 1);
      return evaluate(evaluation, run, whole ? newest : SavedParameters.at(path), given);
    }
  }

  /**
   * Warnings: what may give other bits than training has.
   *
   * @param threads value of {@code OMP_NUM_THREADS}, or null
   * @throws UsageException if it is not 1 and the run is a reproducible one
   */
  static List<String> notes(RunInfo run, String threads) {
    List<String> notes = new ArrayList<>(RunProvenance.changedPlugins(run));
    RunProvenance.threadsProblem(threads)
        .ifPresent(
            problem -> {
              if (run.configured(REPRODUCIBLE.name(), NONE).equals(AVX2)) {
                throw new UsageException("--reproducible: " + problem);
              }
              notes.add(problem);
            });
    return notes;
  }

  private int evaluate(
      RunEvaluation evaluation, RunDirectory run, SavedParameters one, Arguments given)
      throws IOException, InterruptedException {
    if (given.has("watch")) {
      if (one != null) {
        throw new UsageException("--watch: expected a run directory, found a checkpoint");
      }
      double poll = given.number("poll").orElse(POLL);
      evaluation.watch(poll, idleLimit(given));
    } else if (one != null) {
      return evaluation.evaluate(one) ? 0 : 1;
    } else if (evaluation.evaluateNew() == 0 && evaluation.repeat() == 0) {
      throw new UsageException(
          run.path()
              + ": expected a checkpoint that can be read, found none; train with --checkpoint-every");
    }
    return 0;
  }

  /** Seconds; without a limit beside a training, which ends its evaluator. */
  static double idleLimit(Arguments given) {
    return given
        .number("idle-limit")
        .orElse(ParentWatch.isLaunched() ? Double.POSITIVE_INFINITY : IDLE_LIMIT);
  }

  /** The run at a path, or that of the checkpoint there. */
  static RunDirectory runAt(Path path) {
    if (Files.exists(new RunDirectory(path).info())) {
      return new RunDirectory(path);
    }
    SavedParameters saved = SavedParameters.at(path);
    Path checkpoints = saved.path().getParent();
    RunDirectory run = new RunDirectory(checkpoints == null ? null : checkpoints.getParent());
    if (run.path() == null || !Files.exists(run.info())) {
      throw new UsageException(
          saved.path() + ": expected a checkpoint of a run (RUN/checkpoints/…), found no run.json");
    }
    return run;
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        watch          Test each new checkpoint once until the run ends.
        poll S         With --watch: seconds between two checks. Default: 2.
        idle-limit S   With --watch: stop after this many seconds without a new checkpoint; a killed
            run does not record its end. Default: 600.
        data-dir DIR   Where the data are now. Default: where they were.
        by GROUP       Test the newest checkpoint, and print the scores of groups of examples. class:
            accuracy, precision and F1 of each class, AUC of two; worker: loss and accuracy on each worker's
            training examples.
        test-size N    Test examples, the first ones. Default: all.
        """);
  }
}
