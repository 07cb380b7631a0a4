package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.AMB_NUM_PARTITIONS;
import static io.github.amb.runtime.config.TrainSettings.AMB_TIME_LIMIT;
import static io.github.amb.runtime.config.TrainSettings.BATCH_SIZE;
import static io.github.amb.runtime.config.TrainSettings.DATA_SET;
import static io.github.amb.runtime.config.TrainSettings.INDUCE;
import static io.github.amb.runtime.config.TrainSettings.RUNS_DIR;
import static io.github.amb.runtime.config.TrainSettings.RUN_DIRECTORY;
import static io.github.amb.runtime.config.TrainSettings.SCHEME;
import static io.github.amb.runtime.config.TrainSettings.SEED;
import static io.github.amb.runtime.config.TrainSettings.UPDATE_RULE;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.models.data.DataSets;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Makes a run's directory and its {@code run.json}. */
public final class RunWriter {
  private RunWriter() {}

  /**
   * Makes the directory and writes {@code run.json}. Never takes a directory that exists.
   *
   * @param settings the run's options
   * @param command what the user typed
   * @throws UsageException if the directory given with {@code --run-directory} exists
   * @throws IOException if nothing can be written there
   */
  public static RunDirectory create(Settings settings, List<String> command) throws IOException {
    RunDirectory run = new RunDirectory(makeDirectory(settings).toAbsolutePath().normalize());
    run.write(
        new RunInfo(
            RunInfo.FORMAT,
            run.path().getFileName().toString(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
            command,
            settings.all(),
            settings.get(SEED),
            Environment.describe(),
            DataSets.checksums(settings.get(DATA_SET), RunParts.dataDir(settings)),
            null));
    return run;
  }

  /** Adds facts to the environment in {@code run.json} that only a rank knows. */
  static void addEnvironment(RunDirectory run, Map<String, String> facts) throws IOException {
    run.write(run.read().withEnvironment(facts));
  }

  /**
   * Writes how a run ended.
   *
   * @param cause one line
   */
  public static void end(RunDirectory run, int exitCode, String cause) throws IOException {
    StepRecord last = lastStep(run);
    double seconds = last == null ? 0 : last.time();
    long steps = last == null ? 0 : last.step();
    run.write(run.read().withEnding(new RunInfo.Ending(exitCode, cause, seconds, steps)));
  }

  private static StepRecord lastStep(RunDirectory run) throws IOException {
    if (!Files.exists(run.masterLog())) {
      return null;
    }
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(StepRecord.class::cast)
        .reduce(null, (first, second) -> second);
  }

  private static Path makeDirectory(Settings settings) throws IOException {
    if (settings.has(RUN_DIRECTORY)) {
      Path path = Path.of(settings.get(RUN_DIRECTORY));
      try {
        Files.createDirectories(path.toAbsolutePath().getParent());
        return Files.createDirectory(path);
      } catch (FileAlreadyExistsException e) {
        throw new UsageException(
            "--run-directory: expected a directory that does not exist yet, found " + path);
      }
    }
    Path runs = Files.createDirectories(Path.of(settings.get(RUNS_DIR)));
    String name = name(settings);
    for (int number = 1; ; number++) {
      try {
        return Files.createDirectory(runs.resolve(number == 1 ? name : name + "-" + number));
      } catch (FileAlreadyExistsException e) {
        // Taken by an earlier run: try the next number.
      }
    }
  }

  /** The seeds' form of a run's name, with the seed. */
  private static String name(Settings settings) {
    StringBuilder name = new StringBuilder();
    name.append(settings.get(DATA_SET)).append("__").append(settings.get(SCHEME));
    name.append('_').append(settings.get(UPDATE_RULE)).append('_').append(settings.get(BATCH_SIZE));
    if (settings.has(AMB_TIME_LIMIT)) {
      name.append("__").append(settings.get(AMB_TIME_LIMIT));
      name.append('_').append(settings.get(AMB_NUM_PARTITIONS));
    }
    name.append("__").append(settings.get(INDUCE).replaceAll("[^A-Za-z0-9.]+", "-"));
    name.append('_').append(settings.get(WORKERS)).append("__seed").append(settings.get(SEED));
    return name.toString();
  }
}
