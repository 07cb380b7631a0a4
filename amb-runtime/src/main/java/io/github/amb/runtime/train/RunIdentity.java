package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.Setting;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What makes a run the one it is: its data, and all options but those that may change when it is
 * resumed, or that say where things are.
 */
public final class RunIdentity {
  /** How far the run goes. */
  static final List<Setting<?>> LIMITS = List.of(LAST_STEP, MAX_EPOCHS, MAX_TIME, TARGET_ACCURACY);

  /** What beside these may differ from the run's first part without changing what is learnt. */
  private static final List<Setting<?>> FREE =
      List.of(
          EVALUATE,
          EVALUATE_EVERY,
          TEST_SIZE,
          CHECKPOINT_EVERY,
          CHECKPOINT_KEEP,
          RESUME,
          RESUME_FROM,
          MIN_WORKERS,
          DEAD_AFTER,
          STALL_AFTER,
          RESPAWN,
          NON_FINITE,
          INJECT,
          LOG_FREQ,
          DATA_DIR,
          HOSTS,
          REMOTE_SHELL,
          BIND,
          SHARED_MEMORY,
          START_LIMIT,
          MASTER_HEAP,
          WORKER_HEAP);

  private static final List<Setting<?>> PLACES = List.of(RUN_DIRECTORY, RUNS_DIR);

  private RunIdentity() {}

  /** Whether an option may change when the run is resumed. */
  static boolean isFree(Setting<?> setting) {
    return LIMITS.contains(setting) || FREE.contains(setting);
  }

  /** Options with their values, and data with their checksums, by name. */
  public static Map<String, String> of(RunInfo run) {
    Map<String, String> identity = new TreeMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      boolean known = run.configuration().containsKey(setting.name());
      if (known && !isFree(setting) && !PLACES.contains(setting)) {
        Object value = run.configuration().get(setting.name());
        identity.put("--" + setting.name(), value == null ? "none" : Settings.text(value));
      }
    }
    run.data().forEach((file, sum) -> identity.put("SHA-256 of " + file, sum));
    return identity;
  }
}
