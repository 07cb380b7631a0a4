package io.github.amb.runtime.train.part;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Setting.Role;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.sim.Trace;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Settings of the run that {@code --replay} names. */
public final class ReplayOptions {
  /** Options that a replay does not take from the replayed run. */
  private static final List<Setting<?>> OWN =
      List.of(ENGINE, COST, REPLAY, CHECKPOINT_EVERY, SHARED_MEMORY);

  /** Options in whose place a replay has records. */
  private static final List<Setting<?>> RECORDED =
      List.of(
          INDUCE,
          INDUCE_SCALE,
          SPEED,
          COST,
          COST_PER_EXAMPLE,
          COST_PER_PARTITION,
          INJECT,
          MAX_EPOCHS,
          MAX_TIME,
          TARGET_ACCURACY,
          TARGET_LOSS,
          PATIENCE,
          BUDGET);

  private ReplayOptions() {}

  /**
   * The typed settings, completed by those of the replayed run; unchanged without {@code --replay}.
   *
   * @throws UsageException if the run cannot be read, or what was typed contradicts it
   */
  public static Settings complete(Settings typed) {
    if (!typed.has(REPLAY)) {
      return typed;
    }
    if (typed.has(ENGINE) && !typed.get(ENGINE).equals(SIM)) {
      throw new UsageException("--replay: expected --engine sim, found " + typed.get(ENGINE));
    }
    RunInfo info = RunOptions.info("--replay", directory(typed));
    Settings recorded = RunOptions.read("--replay", directory(typed));
    Settings replayed = recorded.with(ENGINE, SIM).with(COST, GIVEN);
    replayed = replayed.has(COST_PER_EXAMPLE) ? replayed : replayed.with(COST_PER_EXAMPLE, 0.0);
    compare(typed, replayed);
    Settings settings = typed.with(ENGINE, replayed).with(COST, replayed);
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean wanted = setting.role() == Role.VALUE && !OWN.contains(setting);
      if (wanted && replayed.has(setting) && !typed.has(setting)) {
        settings = settings.with(setting, replayed);
      }
    }
    if (settings.get(DATA_SET).equals(recorded.get(DATA_SET))) {
      InputChecksums.expect("--replay", info, InputChecksums.of(settings));
    }
    return settings;
  }

  private static void compare(Settings typed, Settings replayed) {
    List<String> problems = new ArrayList<>();
    for (Setting<?> setting : RECORDED) {
      Object expected = replayed.get(setting);
      if (typed.has(setting) && !typed.get(setting).equals(expected)) {
        problems.add(
            "--%s: expected %s, as in the run to be replayed, found %s; leave it out"
                .formatted(
                    setting.name(), expected == null ? "none" : expected, typed.get(setting)));
      }
    }
    UsageException.expectNone(problems);
  }

  /**
   * Stops a replay after as many steps as were recorded, whatever ended the recorded run, or
   * earlier.
   *
   * @throws UsageException if another {@code --last-step} than the run's is not among the recorded
   */
  static StopRule stopRule(Settings settings) {
    long steps = trace(settings).steps();
    long last = settings.get(LAST_STEP);
    if (last == 0 || last == RunOptions.read("--replay", directory(settings)).get(LAST_STEP)) {
      return StopRule.after(steps);
    }
    if (last > steps) {
      throw new UsageException(
          "--last-step: expected at most %d, the steps of the run to be replayed, found %d",
          steps, last);
    }
    return StopRule.after(last);
  }

  /**
   * The records of the replayed run.
   *
   * @throws UsageException if they cannot be read, or cannot be replayed with these settings
   */
  public static Trace trace(Settings settings) {
    try {
      return Trace.read(directory(settings), settings.get(WORKERS), hasFreeLinks(settings));
    } catch (IOException e) {
      throw new UsageException(
          "--replay: expected the records of a run, cannot read " + e.getMessage());
    }
  }

  private static boolean hasFreeLinks(Settings settings) {
    return settings.get(LATENCY) == 0 && Double.isInfinite(settings.get(BANDWIDTH));
  }

  /** Lists what of a scheme the records of a run do not have. */
  static List<String> problems(Settings settings, Scheme scheme) {
    List<String> problems = new ArrayList<>();
    if (scheme.messageDelay() > 0) {
      problems.add(
          "--replay: expected a run without --async-delay-std, whose delays are not in its records, found one of "
              + scheme.messageDelay()
              + " s");
    }
    if (scheme.hearsWhileComputing() && !hasFreeLinks(settings)) {
      problems.add(
          "--replay: expected links that take no time with scheme %s, whose workers look for messages while they compute, found --latency %s and --bandwidth %s; add --latency 0 --bandwidth inf, or run a simulation again with its own options"
              .formatted(settings.get(SCHEME), settings.get(LATENCY), settings.get(BANDWIDTH)));
    }
    return problems;
  }

  private static RunDirectory directory(Settings settings) {
    return RunDirectory.named(settings.get(REPLAY));
  }
}
