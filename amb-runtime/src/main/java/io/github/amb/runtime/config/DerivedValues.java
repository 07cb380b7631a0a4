package io.github.amb.runtime.config;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.network.Networks;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Values that follow from other options if they are not given. */
public final class DerivedValues {
  /** Passes over the training set after which a run ends if no limit is given. */
  static final double EPOCHS = 5;

  /** Each may follow from those after it. */
  private static final List<Map.Entry<Setting<?>, Function<Settings, ?>>> ALL =
      List.of(
          Map.entry(PARAMETERS, DerivedValues::parameters),
          Map.entry(NETWORK, DerivedValues::network),
          Map.entry(LEARNING_RATE, DerivedValues::learningRate),
          Map.entry(MAX_EPOCHS, DerivedValues::maxEpochs));

  private DerivedValues() {}

  /**
   * The number of parameters given, or the network's.
   *
   * @throws UsageException if there is no such network
   */
  public static long parameters(Settings settings) {
    Integer given = settings.get(PARAMETERS);
    return given == null ? Networks.summary(network(settings)).parameters() : given;
  }

  /**
   * The network given, or the data set's usual one.
   *
   * @throws UsageException if the data set has none
   */
  public static String network(Settings settings) {
    String given = settings.get(NETWORK);
    return given == null ? Networks.defaultFor(settings.get(DATA_SET)) : given;
  }

  /**
   * The learning rate given, or the update rule's usual one.
   *
   * @throws UsageException if there is no such rule
   */
  public static double learningRate(Settings settings) {
    double usual = UpdateRules.named(settings.get(UPDATE_RULE)).defaultLearningRate();
    return settings.has(LEARNING_RATE) ? settings.get(LEARNING_RATE) : usual;
  }

  /** The limit of epochs given, or the usual one if there is no other limit. */
  public static double maxEpochs(Settings settings) {
    if (settings.has(MAX_EPOCHS)) {
      return settings.get(MAX_EPOCHS);
    }
    return isEndless(settings) ? EPOCHS : Double.POSITIVE_INFINITY;
  }

  /** Whether a run has no limit but that of epochs. */
  public static boolean isEndless(Settings settings) {
    return settings.get(LAST_STEP) == 0
        && settings.get(MAX_TIME) == Double.POSITIVE_INFINITY
        && !settings.has(TARGET_ACCURACY)
        && !settings.has(TARGET_LOSS)
        && !settings.has(PATIENCE)
        && !settings.has(BUDGET);
  }

  /**
   * Recorded settings without the values that would be the same if they were not there. So they
   * follow from options that are changed.
   *
   * @param recorded of a run; unchanged if one of the positional options is missing
   */
  public static Settings removedFrom(Settings recorded) {
    if (!POSITIONAL.stream().allMatch(recorded::has)) {
      return recorded;
    }
    Settings others = recorded;
    for (Map.Entry<Setting<?>, Function<Settings, ?>> value : ALL) {
      Setting<?> setting = value.getKey();
      if (others.has(setting) && follows(value.getValue(), others, setting)) {
        others = others.without(setting);
      }
    }
    return others;
  }

  private static boolean follows(
      Function<Settings, ?> value, Settings settings, Setting<?> setting) {
    try {
      return value.apply(settings.without(setting)).equals(value.apply(settings));
    } catch (UsageException e) {
      return false; // The check of the run says what is wrong.
    }
  }
}
