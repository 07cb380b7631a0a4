package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.config.TrainSettings.GRADIENTS;
import static io.github.amb.runtime.config.TrainSettings.NONE;
import static io.github.amb.runtime.config.TrainSettings.REAL;

import io.github.amb.core.command.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;
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

  /** Turns success into failure if the final parameters are not on the disk. */
  RunOutcome certify(RunOutcome outcome) {
    return outcome.exitCode() != 0 || problem.isEmpty()
        ? outcome
        : new RunOutcome(ExitCode.FAILED, "cannot save the final parameters: " + problem);
  }
}
