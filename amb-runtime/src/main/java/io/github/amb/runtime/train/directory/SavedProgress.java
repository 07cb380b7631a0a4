package io.github.amb.runtime.train.directory;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.CHECKPOINT_EVERY;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.DamagedException;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The saved state of a run that is resumed.
 *
 * @param run its directory
 * @param info its {@code run.json}
 * @param parts the parts with which it continues
 * @param warnings receives a line for people
 */
record SavedProgress(RunDirectory run, RunInfo info, RunParts parts, Consumer<String> warnings) {
  /** The end of each message about a run that cannot be resumed. */
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
   * Step of the newest usable checkpoint, which has been read completely; 0 if the run ended before
   * its first. Each unusable newer one is a warning.
   *
   * @throws UsageException if there are checkpoints, but none is usable
   * @throws IOException if one cannot be read
   */
  long newest() throws IOException {
    CheckpointDirectory all = checkpoints(Disk.REAL);
    try {
      all.best();
    } catch (DamagedException e) {
      warnings.accept("best parameters are not used: " + e.getMessage());
    }
    var newest = all.latest(this::point, warnings);
    if (newest.isPresent()) {
      return newest.get().step();
    }
    if (!all.steps().isEmpty() || hadCheckpoints()) {
      throw new UsageException(
          "--resume: no checkpoint in %s is usable; nothing was changed; %s",
          run.checkpoints(), STARTING_OVER);
    }
    return 0;
  }

  /**
   * The state saved after a step.
   *
   * @throws IOException if the checkpoint cannot be read
   */
  ResumePoint point(long step) throws IOException {
    return point(checkpoints(Disk.REAL).open(step));
  }

  private ResumePoint point(Checkpoint checkpoint) throws IOException {
    return ResumePoint.of(checkpoint, Math.max(1, parts.settings().get(WORKERS)));
  }

  /**
   * Whether the run must have written a checkpoint: it ended with one, was resumed from one, or had
   * reached a step that waits for one.
   */
  private boolean hadCheckpoints() throws IOException {
    return !parts.timingOnly()
        && (info.ending() != null && info.ending().parametersSha256() != null
            || !info.environment().getOrDefault(ResumeOptions.RESUMED, "0").equals("0")
            || stepsDue() > 1);
  }

  /** Number of recorded steps at whose end a checkpoint was due. */
  private long stepsDue() throws IOException {
    Interval every =
        Interval.parse(info.configured(CHECKPOINT_EVERY.name(), Interval.LAST.toString()));
    AtomicLong due = new AtomicLong();
    if (Files.exists(run.masterLog())) {
      run.masterRecords(
          record -> {
            if (record instanceof StepRecord step && every.isOver(step.step(), step.time())) {
              due.incrementAndGet();
            }
          });
    }
    return due.get();
  }
}
