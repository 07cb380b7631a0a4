package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.Disk;
import io.github.amb.core.record.LogTruncation;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.config.Setting;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The run that {@code --resume} names: the same directory, the same options, the next step. */
final class ResumedRun {
  private ResumedRun() {}

  /**
   * The run's settings with those typed that may change; unchanged without {@code --resume}.
   *
   * @throws UsageException if the run cannot be read, is over, or differs from what was typed
   */
  static Settings complete(Settings typed) {
    if (!typed.has(RESUME)) {
      return typed;
    }
    RunInfo info = read(typed);
    boolean newLimit = RunIdentity.LIMITS.stream().anyMatch(typed::has);
    if (info.ending() != null && info.ending().exitCode() == 0 && !newLimit) {
      throw new UsageException(
          "--resume: expected a run that was cut short, found one that is done after %d steps; to go further, say how far, as with --last-step"
              .formatted(info.ending().steps()));
    }
    List<String> problems = new ArrayList<>();
    Settings settings = typed;
    for (Setting<?> setting : TrainSettings.ALL) {
      Object value = info.configuration().get(setting.name());
      String recorded = value == null ? null : Settings.text(value);
      if (!typed.has(setting)) {
        boolean keep =
            recorded != null
                && setting != INJECT
                && !(newLimit && RunIdentity.LIMITS.contains(setting));
        settings = keep ? settings.with(setting, recorded) : settings;
      } else if (!RunIdentity.isFree(setting) && !typed.get(setting).toString().equals(recorded)) {
        problems.add(
            "--%s: expected %s, as in the run to be resumed, found %s"
                .formatted(setting.name(), recorded, typed.get(setting)));
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return settings.with(RUN_DIRECTORY, directory(typed).path());
  }

  /**
   * Prepares the run's directory for going on: checks that the data are the same and takes back
   * what was logged after the newest checkpoint.
   */
  static RunDirectory prepare(RunParts parts) throws IOException {
    Settings settings = parts.settings();
    RunDirectory run = directory(settings);
    RunInfo info = read(settings);
    Map<String, String> found = RunWriter.checksums(settings);
    if (!found.equals(info.data())) {
      throw new UsageException(
          "--resume: expected the run's data %s, found %s".formatted(info.data(), found));
    }
    if (Files.exists(run.masterLog())) {
      RecordLog.append(run, Disk.REAL, warning -> {}).close();
    }
    long step =
        checkpoint(parts, run, warning -> System.err.println("amb: " + warning))
            .map(Checkpoint::step)
            .orElse(0L);
    LogTruncation.after(run, step);
    run.write(
        info.withEnding(null).withEnvironment(Map.of("resumed_after_step", Long.toString(step))));
    System.err.println("amb: " + run.path() + " goes on after step " + step);
    return run;
  }

  /**
   * Where the run is taken up; null if it is a new one, or starts again for want of a checkpoint.
   */
  static ResumePoint point(RunParts parts) throws IOException {
    Settings settings = parts.settings();
    if (!settings.has(RESUME)) {
      return null;
    }
    Optional<Checkpoint> newest = checkpoint(parts, directory(settings), told -> {});
    return newest.isEmpty()
        ? null
        : ResumePoint.of(newest.get(), Math.max(1, settings.get(WORKERS)));
  }

  private static Optional<Checkpoint> checkpoint(
      RunParts parts, RunDirectory run, Consumer<String> warnings) throws IOException {
    Origin origin = new Origin(parts.parameters(), RunIdentity.of(run.read()));
    return new CheckpointDirectory(run.checkpoints(), origin).latest(warnings);
  }

  private static RunDirectory directory(Settings settings) {
    return new RunDirectory(Path.of(settings.get(RESUME)).toAbsolutePath().normalize());
  }

  private static RunInfo read(Settings settings) {
    try {
      return directory(settings).read();
    } catch (IOException e) {
      throw new UsageException(
          "--resume: expected a run directory, found '%s': cannot read run.json: %s"
              .formatted(settings.get(RESUME), e.getMessage()));
    }
  }
}
