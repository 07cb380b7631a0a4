package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.random.Streams;
import io.github.amb.core.schedule.Schedule;
import io.github.amb.core.schedule.ScheduleSettings;
import io.github.amb.core.schedule.Schedules;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOption;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.StopRule;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.config.Setting;
import io.github.amb.runtime.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a run is made of, made from its settings.
 *
 * @param settings every option's value, with those filled in that depend on others
 * @param data the data set, read and checked
 * @param network name of the network
 * @param scheme the scheme
 * @param schedule the learning rate
 * @param delays distribution of induced delays
 * @param stop when training is over
 * @param streams the run's random streams
 */
public record RunParts(
    Settings settings,
    DataSet data,
    String network,
    Scheme scheme,
    Schedule schedule,
    DelayModel delays,
    StopRule stop,
    Streams streams) {

  /**
   * Checks the settings, reads the data and makes the parts.
   *
   * @throws UsageException listing everything that is wrong
   */
  public static RunParts of(Settings settings) {
    List<String> problems = new ArrayList<>();
    missing(settings, problems);
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    collect(problems, () -> UpdateRules.named(settings.get(UPDATE_RULE)).defaultLearningRate());
    Scheme scheme = collect(problems, () -> scheme(settings));
    Schedule schedule = problems.isEmpty() ? collect(problems, () -> schedule(settings)) : null;
    DelayModel delays = collect(problems, () -> delays(settings));
    DataSet data = collect(problems, () -> data(settings));
    String network = data == null ? null : collect(problems, () -> network(settings, data));
    if (data != null) {
      tooMany(settings, data.train().count(), problems);
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new RunParts(
        complete(settings, network),
        data,
        network,
        scheme,
        schedule,
        delays,
        stopRule(settings),
        new Streams(settings.get(SEED)));
  }

  private static void missing(Settings settings, List<String> problems) {
    for (Setting<?> setting : POSITIONAL) {
      if (settings.get(setting) == null) {
        problems.add(
            "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found no %s; see amb train --help"
                .formatted(setting.name().replace('-', ' ')));
        return;
      }
    }
  }

  private static <T> T collect(List<String> problems, Supplier<T> part) {
    try {
      return part.get();
    } catch (UsageException e) {
      problems.addAll(e.getMessage().lines().toList());
      return null;
    }
  }

  private static Scheme scheme(Settings settings) {
    SchemeOptions options = new SchemeOptions(settings.get(BATCH_SIZE), settings.get(WORKERS));
    for (SchemeOption<?> option : Schemes.options()) {
      for (Setting<?> setting : List.of(AMB_TIME_LIMIT, AMB_NUM_PARTITIONS)) {
        if (setting.name().equals(option.name()) && settings.has(setting)) {
          options = options.withText(option, settings.get(setting).toString());
        }
      }
    }
    return Schemes.named(settings.get(SCHEME)).create(options);
  }

  private static double learningRate(Settings settings) {
    return settings.has(LEARNING_RATE)
        ? settings.get(LEARNING_RATE)
        : UpdateRules.named(settings.get(UPDATE_RULE)).defaultLearningRate();
  }

  private static Schedule schedule(Settings settings) {
    return Schedules.named(settings.get(LRATE_SCHEDULE))
        .create(
            new ScheduleSettings(
                learningRate(settings),
                settings.get(LRATE_LINEAR_END),
                settings.get(LAST_STEP),
                settings.get(LRATE_EXP_DECAY_STEPS),
                settings.get(LRATE_EXP_RATE),
                settings.get(LRATE_EXP_STAIRCASE) != 0,
                epochs(settings.get(LRATE_EPOCHS_EVERY)),
                settings.get(LRATE_EPOCHS_FRAC)));
  }

  private static List<Double> epochs(String text) {
    try {
      return Arrays.stream(text.split(",")).map(Double::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new UsageException(
          "--lrate-epochs-every: expected epochs, as 10 or 30,60,80, found '" + text + "'");
    }
  }

  private static DelayModel delays(Settings settings) {
    return DelayModels.named(settings.get(INDUCE)).scaled(settings.get(INDUCE_SCALE));
  }

  private static DataSet data(Settings settings) {
    return DataSets.load(settings.get(DATA_SET), dataDir(settings), settings.get(SEED));
  }

  /** The data directory, or null. */
  static Path dataDir(Settings settings) {
    return settings.has(DATA_DIR) ? Path.of(settings.get(DATA_DIR)) : null;
  }

  private static String network(Settings settings, DataSet data) {
    String network =
        settings.has(NETWORK) ? settings.get(NETWORK) : Networks.defaultFor(settings.get(DATA_SET));
    Networks.check(network, data);
    return network;
  }

  private static void tooMany(Settings settings, int examples, List<String> problems) {
    int workers = settings.get(WORKERS);
    if (workers > examples) {
      problems.add(
          "--workers: expected at most one per training example (%d), found %d"
              .formatted(examples, workers));
    }
  }

  private static Settings complete(Settings settings, String network) {
    return settings
        .with(NETWORK, network)
        .with(LEARNING_RATE, learningRate(settings))
        .with(MAX_EPOCHS, maxEpochs(settings));
  }

  private static double maxEpochs(Settings settings) {
    if (settings.has(MAX_EPOCHS)) {
      return settings.get(MAX_EPOCHS);
    }
    boolean limited =
        settings.get(LAST_STEP) > 0 || settings.has(MAX_TIME) || settings.has(TARGET_ACCURACY);
    return limited ? Double.POSITIVE_INFINITY : DEFAULT_EPOCHS;
  }

  private static StopRule stopRule(Settings settings) {
    return new StopRule(
        settings.get(LAST_STEP),
        maxEpochs(settings),
        settings.get(MAX_TIME),
        settings.has(TARGET_ACCURACY) ? settings.get(TARGET_ACCURACY) : StopRule.NO_TARGET);
  }
}
