package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.CHECKPOINT_EVERY;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.Disk;
import io.github.amb.core.record.Printable;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.CheckpointInterval;
import io.github.amb.runtime.checkpoint.DamagedException;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.ResumePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * What a run that is taken up has saved.
 *
 * @param info its {@code run.json}
 * @param parts what it goes on with
 */
record SavedProgress(RunDirectory run, RunInfo info, RunParts parts) {
  /** Ends a message about a run that cannot be taken up. */
  static final String STARTING_OVER =
      "start over with --resume-from start, which moves checkpoints and records to RUN/superseded";

  /**
   * The run's checkpoints.
   *
   * @param disk asked before each change
   */
  CheckpointDirectory checkpoints(Disk disk) {
    Origin origin = new Origin(parts.parameters(), RunIdentity.of(info));
    return new CheckpointDirectory(run.checkpoints(), origin, disk);
  }

  /**
   * Step of the newest checkpoint that training can go on from, all of which has been read; 0 if
   * the run has ended before its first. Those left out are named on standard error.
   *
   * @throws UsageException if none can be used
   * @throws IOException if one cannot be read
   */
  long newest() throws IOException {
    CheckpointDirectory all = checkpoints(Disk.REAL);
    try {
      all.best();
    } catch (DamagedException e) {
      warn("best parameters are not used: " + e.getMessage());
    }
    var newest = all.latest(this::point, SavedProgress::warn);
    if (newest.isPresent()) {
      return newest.get().step();
    }
    if (!all.steps().isEmpty() || hadCheckpoints()) {
      throw new UsageException(
          "--resume: no checkpoint in %s is usable; nothing was changed; %s"
              .formatted(run.checkpoints(), STARTING_OVER));
    }
    return 0;
  }

  /** What the run goes on from after a step. */
  ResumePoint point(long step) throws IOException {
    return point(checkpoints(Disk.REAL).open(step));
  }

  private ResumePoint point(Checkpoint checkpoint) throws IOException {
    return ResumePoint.of(checkpoint, Math.max(1, parts.settings().get(WORKERS)));
  }

  /**
   * Whether there must have been one: a run ended with it, was taken up from it, or was so far that
   * it had waited for it.
   */
  private boolean hadCheckpoints() throws IOException {
    return !parts.timingOnly()
        && (info.ending() != null && info.ending().parametersSha256() != null
            || !info.environment().getOrDefault(ResumeOptions.RESUMED, "0").equals("0")
            || stepsDue() > 1);
  }

  /** How many steps were recorded at whose end a checkpoint was due. */
  private long stepsDue() throws IOException {
    CheckpointInterval every =
        CheckpointInterval.parse(
            info.configured(CHECKPOINT_EVERY.name(), CheckpointInterval.LAST.toString()));
    return records().stream()
        .filter(step -> every.isOver(step.step(), step.time()))
        .limit(2)
        .count();
  }

  private List<StepRecord> records() throws IOException {
    return Files.exists(run.masterLog())
        ? run.masterRecords().stream()
            .filter(StepRecord.class::isInstance)
            .map(StepRecord.class::cast)
            .toList()
        : List.of();
  }

  private static void warn(String warning) {
    System.err.println("amb: " + Printable.printable(warning));
  }
}
