package io.github.amb.runtime.train.directory;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.fault.FaultSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The identity of a run: its data and all options, without those that may change on a resume and
 * those that name places.
 */
public final class RunIdentity {
  /** Options that hold for one part of a run alone. */
  static final List<Setting<?>> ONCE = List.of(RESUME, RESUME_FROM, INJECT);

  private static final List<Setting<?>> PLACES = List.of(RUN_DIRECTORY, RUNS_DIR);

  /** Values that may differ from the run's first part, as they do not change what is learned. */
  private static final List<Setting<?>> VALUES =
      List.of(
          EVALUATE,
          EVALUATE_EVERY,
          TEST_SIZE,
          CHECKPOINT_EVERY,
          CHECKPOINT_KEEP,
          MIN_WORKERS,
          DEAD_AFTER,
          STALL_AFTER,
          RESPAWN,
          RESTARTS,
          RESTART_WINDOW,
          NON_FINITE,
          LOG_FREQ,
          DATA_DIR,
          SHARED_MEMORY,
          ENCRYPT,
          START_LIMIT,
          MASTER_HEAP,
          WORKER_HEAP);

  /** These values, and all orders and places but the run's own. */
  public static final List<Setting<?>> FREE =
      TrainSettings.ALL.stream()
          .filter(option -> option.role() != Setting.Role.VALUE || VALUES.contains(option))
          .filter(option -> !PLACES.contains(option) && !ONCE.contains(option))
          .toList();

  private static final Set<String> CHANGEABLE =
      Stream.of(LIMITS, FREE, ONCE)
          .flatMap(options -> options.stream().map(Setting::name))
          .collect(Collectors.toSet());

  private RunIdentity() {}

  /** Whether an option may change when the run is resumed. */
  static boolean isFree(Setting<?> setting) {
    return CHANGEABLE.contains(setting.name());
  }

  /**
   * The values, by name, with which a resumed run continues, and which its next resume is to have.
   *
   * @param settings of the resumed run
   */
  static Map<String, Object> changed(Settings settings) {
    Map<String, Object> changed = new TreeMap<>();
    LIMITS.forEach(limit -> changed.put(limit.name(), settings.get(limit)));
    FREE.stream()
        .filter(settings::has)
        .forEach(option -> changed.put(option.name(), settings.get(option)));
    return changed;
  }

  /** Values of options and checksums of data, by name. */
  public static Map<String, String> of(RunInfo run) {
    Map<String, String> identity = new TreeMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean known = run.configuration().containsKey(setting.name());
      if (known && !isFree(setting) && !PLACES.contains(setting)) {
        Object value = run.configuration().get(setting.name());
        identity.put("--" + setting.name(), value == null ? "none" : Setting.typed(value));
      }
    }
    run.data().forEach((file, sum) -> identity.put("SHA-256 of " + file, sum));
    return identity;
  }
}
