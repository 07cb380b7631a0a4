package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.command.Suggestion;
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
import io.github.amb.runtime.config.TrainSettings;
import java.nio.file.Path;
import java.util.ArrayList;
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
    Scheme scheme = collect(problems, () -> scheme(settings));
    Double rate = collect(problems, () -> learningRate(settings));
    Schedule schedule = rate == null ? null : collect(problems, () -> schedule(settings, rate));
    DelayModel delays = collect(problems, () -> delays(settings));
    SimulationChecks.check(settings, problems);
    DataSet data = readsData(settings) ? collect(problems, () -> data(settings)) : null;
    String network = collect(problems, () -> network(settings, data));
    if (data != null) {
      tooMany(settings, data.train().count(), problems);
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new RunParts(
        complete(settings, network, rate),
        data,
        network,
        scheme,
        schedule,
        delays,
        settings.has(REPLAY) ? ReplayedRun.stopRule(settings) : stopRule(settings),
        new Streams(settings.get(SEED)));
  }

  /** Whether the data set's files are needed: timing alone at given costs needs none. */
  static boolean readsData(Settings settings) {
    boolean none = settings.get(GRADIENTS).equals(NONE);
    return !none || Calibration.kind(settings).equals(MEASURED);
  }

  /** Whether the ranks live on the virtual cluster. */
  boolean simulated() {
    return settings.get(ENGINE).equals(SIM);
  }

  /** Whether no gradients are computed. */
  boolean timingOnly() {
    return settings.get(GRADIENTS).equals(NONE);
  }

  /** This run with other settings, none of which the other parts were made from. */
  RunParts with(Settings changed) {
    return new RunParts(changed, data, network, scheme, schedule, delays, stop, streams);
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
      options = options.withText(option, settings.get(TrainSettings.schemeSetting(option.name())));
    }
    return Schemes.named(settings.get(SCHEME)).create(options);
  }

  private static double learningRate(Settings settings) {
    double usual = UpdateRules.named(settings.get(UPDATE_RULE)).defaultLearningRate();
    return settings.has(LEARNING_RATE) ? settings.get(LEARNING_RATE) : usual;
  }

  private static Schedule schedule(Settings settings, double learningRate) {
    return Schedules.named(settings.get(LRATE_SCHEDULE))
        .create(
            new ScheduleSettings(
                learningRate,
                settings.get(LRATE_LINEAR_END),
                settings.get(LAST_STEP),
                settings.get(LRATE_EXP_DECAY_STEPS),
                settings.get(LRATE_EXP_RATE),
                settings.get(LRATE_EXP_STAIRCASE) != 0,
                settings.get(LRATE_EPOCHS_EVERY),
                settings.get(LRATE_EPOCHS_FRAC)));
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

  /**
   * Name of the network.
   *
   * @param data what it is trained on; null if that could not be read, then only the name is
   *     checked
   */
  private static String network(Settings settings, DataSet data) {
    String network = settings.get(NETWORK);
    if (network != null && !Networks.names().contains(network)) {
      throw new UsageException(
          "unknown network '" + network + "'" + Suggestion.forName(network, Networks.names()));
    }
    boolean sized = settings.has(PARAMETERS);
    if (data == null && (readsData(settings) || sized)) {
      return network;
    }
    if (data == null) {
      return network == null ? Networks.defaultFor(settings.get(DATA_SET)) : network;
    }
    String chosen = network == null ? Networks.defaultFor(settings.get(DATA_SET)) : network;
    Networks.check(chosen, data);
    return chosen;
  }

  private static void tooMany(Settings settings, int examples, List<String> problems) {
    int workers = settings.get(WORKERS);
    if (workers > examples) {
      problems.add(
          "--workers: expected at most one per training example (%d), found %d"
              .formatted(examples, workers));
    }
  }

  private static Settings complete(Settings settings, String network, double rate) {
    Settings complete = settings.with(LEARNING_RATE, rate).with(MAX_EPOCHS, maxEpochs(settings));
    if (network != null) {
      complete = complete.with(NETWORK, network);
    }
    return settings.get(ENGINE).equals(SIM) ? completeSimulation(complete) : complete;
  }

  private static Settings completeSimulation(Settings settings) {
    Settings complete = settings.with(COST, Calibration.kind(settings));
    boolean sized = settings.has(PARAMETERS) || settings.get(GRADIENTS).equals(REAL);
    return sized
        ? complete
        : complete.with(PARAMETERS, Networks.summary(settings.get(NETWORK)).parameters());
  }

  private static double maxEpochs(Settings settings) {
    if (settings.has(MAX_EPOCHS)) {
      return settings.get(MAX_EPOCHS);
    }
    boolean limited =
        settings.get(LAST_STEP) > 0
            || settings.get(MAX_TIME) < Double.POSITIVE_INFINITY
            || settings.has(TARGET_ACCURACY);
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
