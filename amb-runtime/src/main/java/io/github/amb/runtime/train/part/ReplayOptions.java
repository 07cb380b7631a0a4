package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.Setting;
import io.github.amb.core.command.Setting.Role;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Settings of the run that {@code --replay} names. */
public final class ReplayOptions {
  /** Options that a replay does not take from the replayed run. */
  private static final List<Setting<?>> OWN =
      List.of(ENGINE, COST, REPLAY, CHECKPOINT_EVERY, SHARED_MEMORY);

  private ReplayOptions() {}

  /**
   * The typed settings, completed by those of the replayed run; unchanged without {@code --replay}.
   *
   * @throws UsageException if the run cannot be read, or another engine than sim was typed
   */
  public static Settings complete(Settings typed) {
    if (!typed.has(REPLAY)) {
      return typed;
    }
    if (typed.has(ENGINE) && !typed.get(ENGINE).equals(SIM)) {
      throw new UsageException("--replay: expected --engine sim, found " + typed.get(ENGINE));
    }
    RunOptions.info("--replay", directory(typed));
    Settings recorded = RunOptions.read("--replay", directory(typed));
    Settings settings = typed.with(ENGINE, SIM).with(COST, GIVEN);
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean wanted = setting.role() == Role.VALUE && !OWN.contains(setting);
      if (wanted && recorded.has(setting) && !typed.has(setting)) {
        settings = settings.with(setting, recorded);
      }
    }
    return settings.has(COST_PER_EXAMPLE) ? settings : settings.with(COST_PER_EXAMPLE, 0.0);
  }

  /** Stops a replay after as many steps as were recorded, whatever ended the recorded run. */
  static StopRule stopRule(Settings settings) {
    RunDirectory run = directory(settings);
    try {
      long steps =
          LogRecord.of(StepRecord.class, run.masterRecords()).stream()
              .mapToLong(StepRecord::step)
              .max()
              .orElse(0);
      if (steps > 0) {
        return StopRule.after(steps);
      }
    } catch (IOException e) {
      throw new UsageException(
          "--replay: expected the records of a run, cannot read " + e.getMessage());
    }
    throw new UsageException(
        "--replay: expected a run of at least one step, found none in " + run.masterLog());
  }

  private static RunDirectory directory(Settings settings) {
    return new RunDirectory(Path.of(settings.get(REPLAY)));
  }
}
