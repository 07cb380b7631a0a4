package io.github.amb.runtime.train.directory;

import static io.github.amb.core.option.Decimal.format;
import static io.github.amb.runtime.config.SimSettings.GRADIENTS;
import static io.github.amb.runtime.config.SimSettings.REAL;
import static io.github.amb.runtime.config.TrainSettings.NONE;
import static io.github.amb.runtime.config.TrainSettings.PATIENCE;
import static io.github.amb.runtime.config.TrainSettings.TARGET_ACCURACY;
import static io.github.amb.runtime.config.TrainSettings.TARGET_LOSS;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Setting;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.TestProgress;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The state of a run as read back from the disk.
 *
 * @param steps updates applied
 * @param seconds since training started, at the end of the last step
 * @param sha256 checksum of the parameter file after that many steps; null if there is no intact
 *     one
 * @param problem why there is no intact parameter file; empty if there is one, or none is expected
 */
record FinalParameters(long steps, double seconds, String sha256, String problem) {
  /** Batches differ by less, in shares of the first loss, and so does one that learns nothing. */
  private static final double GROWN = 2;

  /** A loss that is less by no more than this share of the first one is the same. */
  private static final double SAME = 0.05;

  /** Steps in which nothing need be learned. */
  private static final int FEW_STEPS = 50;

  /** Reads the newest checkpoint of a run, and its last record. */
  static FinalParameters of(RunDirectory run) throws IOException {
    RunInfo info = run.read();
    StepRecord last = lastLogged(run);
    long steps = last == null ? 0 : last.step();
    double seconds = last == null ? 0 : last.time();
    boolean expected = steps > 0 && !info.configured(GRADIENTS.name(), REAL).equals(NONE);
    try {
      Optional<Checkpoint> newest = checkpoints(run).latest(left -> {});
      if (newest.isPresent() && newest.get().step() >= steps) {
        Checkpoint found = newest.get();
        double time = found.step() == steps ? seconds : found.seconds();
        return new FinalParameters(found.step(), time, found.parametersSha256(), "");
      }
      String found = newest.map(checkpoint -> "one of step " + checkpoint.step()).orElse("none");
      return new FinalParameters(
          steps,
          seconds,
          null,
          expected ? "expected a checkpoint of step %d, found %s".formatted(steps, found) : "");
    } catch (IOException e) {
      return new FinalParameters(steps, seconds, null, expected ? e.getMessage() : "");
    }
  }

  /**
   * The last recorded step; null if there is none, or if the log is unreadable, which is logged.
   */
  private static StepRecord lastLogged(RunDirectory run) {
    try {
      return run.lastStep();
    } catch (IOException e) {
      System.err.println("amb: cannot read " + run.masterLog() + ": " + e.getMessage());
      return null;
    }
  }

  /** The checkpoints of a run, whatever network {@code run.json} names. */
  static CheckpointDirectory checkpoints(RunDirectory run) throws IOException {
    Origin origin = new Origin(Origin.UNKNOWN, RunIdentity.of(run.read()));
    return new CheckpointDirectory(run.checkpoints(), origin);
  }

  /**
   * What a run that has ended as it was to should say of its losses; empty for nothing. The first
   * step's loss is that of chance.
   *
   * @param first the first update; null if there is none
   * @param last the last update; null if there is none
   * @param test the last test; null if there is none
   */
  static String remark(StepRecord first, StepRecord last, EvaluationRecord test) {
    if (first == null || !Double.isFinite(first.loss()) || last.numSamples() == 0) {
      return "";
    }
    boolean finite = Double.isFinite(last.loss()) && (test == null || isFinite(test));
    double size = Math.abs(first.loss());
    if (!finite || last.loss() > first.loss() + GROWN * size) {
      return format(
          "%s: the loss was %.4g in the first step and %.4g in the last; try a smaller --learning-rate",
          RunInfo.DIVERGED, first.loss(), last.loss());
    }
    double least = first.loss() - SAME * size;
    boolean learned = test == null || Math.min(last.loss(), test.testLoss()) < least;
    return learned || last.step() < FEW_STEPS
        ? ""
        : format(
            "nothing was learned: the loss was %.4g in the first step and is %.4g in the last test; try another --learning-rate",
            first.loss(), test.testLoss());
  }

  private static boolean isFinite(EvaluationRecord test) {
    return Double.isFinite(test.testLoss());
  }

  /** Adds what is to be said of a success. */
  RunOutcome judge(RunDirectory run, RunOutcome outcome) {
    try {
      if (outcome.exitCode() != 0 || !outcome.cause().isEmpty() || steps == 0) {
        return outcome;
      }
      String remark = remark(run.firstStep(), run.lastStep(), run.lastEvaluation());
      return new RunOutcome(0, remark.isEmpty() ? ended(run) : remark);
    } catch (IOException | UncheckedIOException e) {
      return outcome; // An unreadable log was named before.
    }
  }

  /** Why tests ended the run before its other limits, in words; empty if they did not. */
  private static String ended(RunDirectory run) throws IOException {
    RunInfo info = run.read();
    double accuracy = configured(info, TARGET_ACCURACY, StopRule.NO_TARGET);
    double loss = configured(info, TARGET_LOSS, Double.NaN);
    long patience = (long) configured(info, PATIENCE, 0);
    if (accuracy == StopRule.NO_TARGET && Double.isNaN(loss) && patience == 0) {
      return ""; // A long log need not be read.
    }
    TestProgress tests = TestProgress.NONE;
    for (EvaluationRecord test :
        LogRecord.of(EvaluationRecord.class, run.recordsWithAllTests().records())) {
      tests = tests.with(test, 0);
    }
    double none = Double.POSITIVE_INFINITY;
    return new StopRule(0, none, none, accuracy, loss, patience, Budget.NONE).reason(tests);
  }

  private static double configured(RunInfo info, Setting<?> option, double otherwise) {
    return Decimal.any(info.configured(option.name(), ""), otherwise);
  }

  /** Turns success into failure if the final parameters are not on the disk. */
  RunOutcome certify(RunOutcome outcome) {
    return outcome.exitCode() != 0 || problem.isEmpty()
        ? outcome
        : new RunOutcome(ExitCode.FAILED, "cannot save the final parameters: " + problem);
  }
}
