package io.github.amb.runtime.train.part;

import static io.github.amb.models.data.DataSettings.DATA_SET;
import static io.github.amb.models.network.NetworkSettings.INIT_FROM;
import static io.github.amb.models.network.NetworkSettings.NETWORK;
import static io.github.amb.runtime.checkpoint.CheckpointSettings.RESUME;
import static io.github.amb.runtime.config.SimSettings.REPLAY;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Reading;
import io.github.amb.core.file.Sha256;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** SHA-256 of the files that decide what a run computes: data, network, replayed records. */
public final class InputChecksums {
  private InputChecksums() {}

  /**
   * The checksums by name.
   *
   * @throws UsageException if a file cannot be read
   */
  public static Map<String, String> of(Settings settings) {
    Map<String, String> sums = new TreeMap<>();
    if (RunParts.readsData(settings)) {
      sums.putAll(
          DataSets.definition(settings.get(DATA_SET)).checksums(RunParts.dataDir(settings)));
    }
    if (settings.has(NETWORK)) {
      sums.putAll(Networks.checksums(settings.get(NETWORK)));
    }
    if (settings.has(INIT_FROM) && !settings.has(RESUME)) {
      String option = "--init-from";
      Path file = Reading.option(option, () -> StartParameters.file(settings.get(INIT_FROM)));
      sums.put(file.toString(), Reading.option(option, () -> Sha256.of(file)));
    }
    if (settings.has(REPLAY)) {
      sums.put(settings.get(REPLAY) + " (records)", records(Path.of(settings.get(REPLAY))));
    }
    return sums;
  }

  private static String records(Path run) {
    RunDirectory directory = new RunDirectory(run);
    Predicate<Path> isLog =
        file ->
            file.getFileName().equals(directory.masterLog().getFileName())
                || file.getFileName().toString().matches("worker-\\d+\\.jsonl");
    return Reading.option(
        "--replay", () -> Sha256.of(run, Folder.entries(run).stream().filter(isLog).toList()));
  }

  /**
   * Checks that files are those of a recorded run. A file that {@code run.json} does not name is
   * not compared, as older programs recorded the data alone.
   *
   * @param where what compares, for the message
   * @throws UsageException naming all files that differ
   */
  public static void expect(String where, RunInfo run, Map<String, String> found) {
    List<String> problems = new ArrayList<>();
    run.data()
        .forEach(
            (file, sum) -> {
              if (found.containsKey(file) && !found.get(file).equals(sum)) {
                problems.add(
                    "%s: %s: expected SHA-256 %s as in run.json, found %s: the file has changed since the run"
                        .formatted(where, file, sum, found.get(file)));
              }
            });
    UsageException.expectNone(problems);
  }
}
