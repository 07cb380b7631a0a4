package io.github.amb.runtime.train.directory;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.models.network.NetworkSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.AnytimeOptions;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.util.List;
import java.util.Set;

/**
 * The name of a run's directory: {@code --name}, else the form of the predecessor program AMB, with
 * the seed and every option that is not at its default and changes what is learnt, or when.
 */
final class RunName {
  /** Options that do not fit into these characters are counted at the end. */
  private static final int LONGEST = 120;

  /** Options that the first part has, or that follow from others. */
  private static final Set<Setting<?>> ELSEWHERE =
      Set.of(
          DATA_SET,
          SCHEME,
          UPDATE_RULE,
          BATCH_SIZE,
          AnytimeOptions.TIME_LIMIT,
          AnytimeOptions.NUM_PARTITIONS,
          INDUCE,
          WORKERS,
          SEED,
          COST,
          PARAMETERS);

  /** Options whose values say what they are. */
  private static final List<Setting<?>> PLAIN = List.of(ENGINE, NETWORK, CODEC);

  private RunName() {}

  /** The name, of letters, digits, dots, dashes, underscores and plus signs. */
  static String of(Settings settings) {
    if (settings.has(NAME)) {
      return settings.get(NAME);
    }
    StringBuilder name = new StringBuilder(base(settings));
    int more = 0;
    for (Setting<?> setting : TrainSettings.ALL) {
      if (isTold(setting, settings)) {
        String value = plain(Setting.typed(settings.recorded(setting)));
        String part = "__" + (PLAIN.contains(setting) ? "" : setting.name() + "-") + value;
        if (more == 0 && name.length() + part.length() <= LONGEST) {
          name.append(part);
        } else {
          more++;
        }
      }
    }
    return more == 0
        ? name.toString()
        : name.append("__and-").append(more).append("-more").toString();
  }

  private static String base(Settings settings) {
    StringBuilder name = new StringBuilder();
    String data = settings.get(DATA_SET);
    // Of a path, its last name.
    name.append(plain(data.replaceAll("[^:,=]*/", "")));
    name.append("__").append(settings.get(SCHEME)).append('_').append(settings.get(UPDATE_RULE));
    name.append('_').append(settings.get(BATCH_SIZE));
    if (settings.has(AnytimeOptions.TIME_LIMIT) && settings.has(AnytimeOptions.NUM_PARTITIONS)) {
      name.append("__").append(plain(settings.given(AnytimeOptions.TIME_LIMIT)));
      name.append('_').append(settings.given(AnytimeOptions.NUM_PARTITIONS));
    }
    name.append("__").append(settings.get(INDUCE).replaceAll("[^A-Za-z0-9.]+", "-"));
    name.append('_').append(settings.get(WORKERS)).append("__seed").append(settings.get(SEED));
    return name.toString();
  }

  private static boolean isTold(Setting<?> setting, Settings settings) {
    boolean price =
        setting.name().startsWith("cost-")
            && (MEASURED.equals(settings.get(COST)) || settings.isDerived(setting));
    return setting.role() == Setting.Role.VALUE
        && !price
        && !ELSEWHERE.contains(setting)
        && !RunIdentity.isFree(setting)
        && settings.has(setting)
        && !settings.get(setting).equals(usual(setting, settings));
  }

  /** The value that a run has unless another is chosen; null if that is none. */
  private static Object usual(Setting<?> setting, Settings settings) {
    if (setting == LEARNING_RATE) {
      return UpdateRules.named(settings.get(UPDATE_RULE)).defaultLearningRate();
    }
    return setting == NETWORK ? network(settings.get(DATA_SET)) : setting.fallback();
  }

  private static String network(String data) {
    try {
      return Networks.defaultFor(data);
    } catch (UsageException e) {
      return null; // A table has no usual one.
    }
  }

  private static String plain(String value) {
    String plain = value.substring(value.lastIndexOf('/') + 1);
    return plain.replaceAll("[^A-Za-z0-9.+_]+", "-");
  }
}
