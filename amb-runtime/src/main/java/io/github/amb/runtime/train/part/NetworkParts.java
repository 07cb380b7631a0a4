package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Norm;
import io.github.amb.runtime.config.Setting;
import io.github.amb.runtime.config.Settings;

/** The settings about a network, as an object. */
public final class NetworkParts {
  private NetworkParts() {}

  static NetworkOptions of(Settings settings) {
    String init = settings.get(INIT);
    return new NetworkOptions(
        settings.has(NORM) ? Norm.named(settings.get(NORM)) : null,
        settings.get(BATCH_NORM_DECAY),
        settings.get(BATCH_NORM_EPSILON),
        init == null ? null : Initialization.parse(init));
  }

  /**
   * The network options of a recorded run.
   *
   * @throws UsageException if {@code run.json} has an invalid value
   */
  public static NetworkOptions of(RunInfo run) {
    String norm = run.configured(NORM.name(), null);
    String init = value(run, INIT);
    return new NetworkOptions(
        norm == null ? null : Norm.named(norm),
        value(run, BATCH_NORM_DECAY),
        value(run, BATCH_NORM_EPSILON),
        init == null ? null : Initialization.parse(init));
  }

  private static <T> T value(RunInfo run, Setting<T> setting) {
    String text = run.configured(setting.name(), null);
    try {
      T value = text == null ? null : setting.parser().parse(text);
      if (value == null || setting.valid().test(value)) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      // Not of its type.
    }
    throw new UsageException(
        "run.json: expected %s of %s, found '%s'".formatted(setting.range(), setting.name(), text));
  }
}
