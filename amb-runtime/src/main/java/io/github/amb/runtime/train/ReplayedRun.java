package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.BIND;
import static io.github.amb.runtime.config.TrainSettings.CHECKPOINT_EVERY;
import static io.github.amb.runtime.config.TrainSettings.COST;
import static io.github.amb.runtime.config.TrainSettings.COST_PER_EXAMPLE;
import static io.github.amb.runtime.config.TrainSettings.ENGINE;
import static io.github.amb.runtime.config.TrainSettings.GIVEN;
import static io.github.amb.runtime.config.TrainSettings.HOSTS;
import static io.github.amb.runtime.config.TrainSettings.REMOTE_SHELL;
import static io.github.amb.runtime.config.TrainSettings.REPLAY;
import static io.github.amb.runtime.config.TrainSettings.RESUME;
import static io.github.amb.runtime.config.TrainSettings.RUNS_DIR;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.SHARED_MEMORY;
import static io.github.amb.runtime.config.TrainSettings.SIM;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.StopRule;
import io.github.amb.runtime.config.Setting;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The run that {@code --replay} names, as a source of settings. */
final class ReplayedRun {
  /** What a replay has for itself. */
  private static final List<Setting<?>> OWN =
      List.of(
          ENGINE,
          COST,
          REPLAY,
          RESUME,
          CHECKPOINT_EVERY,
          RUNS_DIR,
          RUN_DIRECTORY,
          HOSTS,
          REMOTE_SHELL,
          BIND,
          SHARED_MEMORY);

  private ReplayedRun() {}

  /**
   * The settings typed and, where none were typed, those of the run to be replayed; unchanged
   * without {@code --replay}.
   *
   * @throws UsageException if the run cannot be read, or another engine than sim was typed
   */
  static Settings complete(Settings typed) {
    if (!typed.has(REPLAY)) {
      return typed;
    }
    if (typed.has(ENGINE) && !typed.get(ENGINE).equals(SIM)) {
      throw new UsageException(
          "--replay: expected --engine sim with it, found engine " + typed.get(ENGINE));
    }
    Map<String, Object> recorded = read(typed).configuration();
    Settings settings = typed.with(ENGINE, SIM).with(COST, GIVEN);
    for (Setting<?> setting : TrainSettings.ALL) {
      Object value = recorded.get(setting.name());
      if (value != null && !typed.has(setting) && !OWN.contains(setting)) {
        settings = settings.with(setting, Settings.text(value));
      }
    }
    return settings.has(COST_PER_EXAMPLE) ? settings : settings.with(COST_PER_EXAMPLE, 0.0);
  }

  /** As many steps as were recorded, whatever had ended that run. */
  static StopRule stopRule(Settings settings) {
    RunDirectory run = directory(settings);
    try {
      long steps =
          run.masterRecords().stream()
              .filter(StepRecord.class::isInstance)
              .mapToLong(record -> ((StepRecord) record).step())
              .max()
              .orElse(0);
      if (steps > 0) {
        return StopRule.after(steps);
      }
    } catch (IOException e) {
      throw new UsageException("--replay: cannot read " + run.masterLog() + ": " + e.getMessage());
    }
    throw new UsageException(
        "--replay: expected a run of at least one step, found none in " + run.masterLog());
  }

  private static RunDirectory directory(Settings settings) {
    return new RunDirectory(Path.of(settings.get(REPLAY)));
  }

  private static RunInfo read(Settings settings) {
    try {
      return directory(settings).read();
    } catch (IOException e) {
      throw new UsageException(
          "--replay: expected a run directory, found '%s': cannot read run.json: %s"
              .formatted(settings.get(REPLAY), e.getMessage()));
    }
  }
}
