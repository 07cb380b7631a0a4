package io.github.amb.runtime.train.part;

import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.record.RunInfo;
import io.github.amb.models.dl4j.Initialization;
import io.github.amb.models.network.NetworkOptions;
import io.github.amb.models.network.Norm;
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

  /** The network options of a recorded run, whose {@code run.json} has been checked. */
  public static NetworkOptions of(RunInfo run) {
    return of(Settings.of(run.configuration()));
  }
}
