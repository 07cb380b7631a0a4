package io.github.amb.runtime.experiment;

import static io.github.amb.models.data.DataSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.console.OutputSettings.*;

import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One run of an experiment: a variant with a seed. Its directory is named after a digest of options
 * and data, and one of the program. So a run of other options has another directory; one of a
 * larger budget continues that of a smaller one.
 *
 * @param variant its cell of the matrix
 * @param settings its options, seed included
 * @param directory where it is, or will be
 */
record ExperimentRun(ExperimentVariant variant, Settings settings, RunDirectory directory) {
  /** The outcomes of runs that have all their numbers. */
  private static final Set<String> ENDED =
      Set.of(RunInfo.State.DONE.toString(), RunInfo.State.DIVERGED.toString());

  private static final int DIGITS = 10;

  /**
   * A run with its place.
   *
   * @param data checksums of the data, by name
   * @param program facts of the program that the run's numbers depend on, by name
   */
  static ExperimentRun of(
      ExperimentVariant variant,
      long seed,
      Map<String, String> data,
      Map<String, String> program,
      Path folder) {
    Settings settings = variant.settings().with(SEED, seed);
    String name = variant.name().replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("^-|-$", "");
    SortedMap<String, String> all = new TreeMap<>(data);
    for (Setting<?> setting : TrainSettings.ALL) {
      if (hasEffect(setting) && setting != BUDGET && settings.has(setting)) {
        all.put("--" + setting.name(), settings.given(setting));
      }
    }
    Path path = folder.resolve(name + "-s" + seed + "-" + digest(all) + "-" + digest(program));
    return new ExperimentRun(variant, settings, new RunDirectory(path));
  }

  private static String digest(Map<String, String> facts) {
    byte[] text = new TreeMap<>(facts).toString().getBytes(StandardCharsets.UTF_8);
    return Sha256.of(text).substring(0, DIGITS);
  }

  /** The same run of another build, if one is done and this one is not; else this run. */
  ExperimentRun orOfAnotherBuild() throws IOException {
    String name = directory.path().getFileName().toString();
    String ofAnyBuild = name.substring(0, name.lastIndexOf('-') + 1);
    if (isDone() || !Files.isDirectory(directory.path().getParent())) {
      return this;
    }
    for (Path file : Folder.entries(directory.path().getParent())) {
      var other = new ExperimentRun(variant, settings, new RunDirectory(file));
      if (file.getFileName().toString().startsWith(ofAnyBuild) && other.isDone()) {
        return other;
      }
    }
    return this;
  }

  /** Whether an option changes what a run computes; the seed is no option of an experiment. */
  static boolean decides(Setting<?> setting) {
    return hasEffect(setting) && setting != SEED;
  }

  private static boolean hasEffect(Setting<?> setting) {
    return !RunInfo.OPTIONS_WITHOUT_EFFECT.contains(setting.name());
  }

  long seed() {
    return settings.get(SEED);
  }

  /** What it is called in messages. */
  String label() {
    return variant.name() + ", seed " + seed();
  }

  /** How it has ended: a {@link RunInfo.State}, or missing or unreadable. */
  String outcome() {
    try {
      if (!Files.exists(directory.info())) {
        return "missing";
      }
      RunInfo info = directory.read();
      boolean goesOn = info.state() == RunInfo.State.DONE && hasMore(info);
      return (goesOn ? RunInfo.State.UNFINISHED : info.state()).toString();
    } catch (IOException | UsageException e) {
      return "unreadable";
    }
  }

  /** Whether a smaller budget than this one has ended it, so that it can go on. */
  private boolean hasMore(RunInfo info) throws IOException {
    Object ended = info.configuration().get(BUDGET.name());
    StepRecord last = ended == null ? null : directory.lastStep();
    return last != null
        && Budget.parse(ended.toString()).share(last) >= 1
        && !(settings.has(BUDGET) && Budget.parse(settings.get(BUDGET)).share(last) >= 1);
  }

  /** Whether it has all its numbers; one whose {@code run.json} cannot be read has none. */
  boolean isDone() {
    return ENDED.contains(outcome());
  }

  /** Whether its parameters or gradients became infinite, as they would again. */
  boolean isDiverged() {
    return outcome().equals(RunInfo.State.DIVERGED.toString());
  }

  /** Whether it has all its numbers, and records of them: one that diverged may have none. */
  boolean hasRecords() {
    return isDone() && Files.exists(directory.masterLog());
  }

  /**
   * Whether it was interrupted, and has a checkpoint to continue from.
   *
   * @throws UsageException if {@code run.json} cannot be read
   */
  boolean isUnfinished() throws IOException {
    if (!Files.exists(directory.info())) {
      return false;
    }
    try {
      directory.read();
    } catch (IOException e) {
      throw new UsageException(
          "%s; move %s away", FileFailure.of(e).orElse(e.getMessage()), directory.path());
    }
    CheckpointDirectory checkpoints = new CheckpointDirectory(directory.checkpoints(), Origin.ANY);
    return !isDone()
        && !checkpoints.steps().isEmpty()
        && (!hasMore(directory.read()) || LIMITS.stream().anyMatch(settings::has));
  }

  /** What comes after {@code amb} to start it. */
  List<String> start() {
    return arguments(settings.with(RUN_DIRECTORY, directory.path()));
  }

  /** What comes after {@code amb} to continue it. */
  List<String> resume() {
    List<String> arguments = new ArrayList<>(List.of("train", "--resume=" + directory.path()));
    Stream.concat(Stream.of(DATA_DIR), LIMITS.stream())
        .filter(settings::has)
        .forEach(setting -> arguments.add("--" + setting.name() + "=" + settings.given(setting)));
    return arguments;
  }

  /**
   * A command line of {@code amb train}, as a person types it; the positional options are given.
   */
  static List<String> arguments(Settings settings) {
    List<String> arguments = new ArrayList<>(List.of("train"));
    POSITIONAL.stream().filter(settings::has).map(settings::given).forEach(arguments::add);
    for (Setting<?> setting : TrainSettings.ALL) {
      if (settings.has(setting) && !POSITIONAL.contains(setting)) {
        arguments.addAll(List.of("--" + setting.name(), settings.given(setting)));
      }
    }
    return arguments;
  }
}
