package io.github.amb.plots.run;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Folder;
import io.github.amb.core.file.Reading;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds and reads the files of an ESync run. */
final class EsyncLogs {
  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build());
  private static final Set<String> EXCHANGES = Set.of("global update", "global aggregate");

  /** Names of folders that hold a run each; a folder that contains them is not a run. */
  private static final String MODE = "(esync|sync|async|dcasgd)(-niid)?";

  private EsyncLogs() {}

  /** Whether there is a log or a summary. */
  static boolean fits(Path directory) {
    return Files.isDirectory(directory)
        && Reading.orElse(
            false, () -> !deviceFolders(directory).isEmpty() || !summaries(directory).isEmpty());
  }

  /**
   * Reads every device of a run, by name: from its logs, or, without logs, from a summary.
   *
   * @throws UsageException if a file is malformed
   */
  static List<DeviceLog> read(Path directory) throws IOException {
    List<DeviceLog> devices = new ArrayList<>();
    for (Path folder : deviceFolders(directory)) {
      devices.add(new DeviceLog(directory.relativize(folder).toString(), rounds(folder)));
    }
    return devices.isEmpty() ? summary(summaries(directory).get(0)) : devices;
  }

  private static List<Path> deviceFolders(Path directory) throws IOException {
    List<Path> devices = new ArrayList<>();
    for (Path child : folders(directory)) {
      if (child.getFileName().toString().matches(MODE)) {
        continue;
      }
      if (isDevice(child)) {
        devices.add(child);
      } else {
        folders(child).stream().filter(EsyncLogs::isDevice).forEach(devices::add);
      }
    }
    return devices;
  }

  private static List<Path> folders(Path directory) throws IOException {
    return Folder.entries(directory).stream().filter(Files::isDirectory).toList();
  }

  private static boolean isDevice(Path folder) {
    return Files.isRegularFile(log(folder, 1));
  }

  private static Path log(Path folder, int number) {
    return folder.resolve("iter-" + number + ".txt");
  }

  private static List<Path> summaries(Path directory) throws IOException {
    return Folder.names(directory).stream()
        .filter(name -> name.matches("(ESync|Sync|Async|DCASGD)(-Non-IID)?\\.json"))
        .map(directory::resolve)
        .toList();
  }

  /** Reads rounds until a file is missing. An incomplete last file, left by a crash, is ignored. */
  private static List<DeviceLog.Round> rounds(Path folder) throws IOException {
    List<DeviceLog.Round> rounds = new ArrayList<>();
    for (int i = 1; Files.isRegularFile(log(folder, i)); i++) {
      try {
        rounds.add(round(tree(log(folder, i))));
      } catch (JacksonException | IllegalArgumentException e) {
        if (Files.exists(log(folder, i + 1))) {
          throw new UsageException(
              log(folder, i)
                  + ": expected num_samples, total_time and time by phase, found "
                  + e.getMessage().lines().findFirst().orElse("something else"));
        }
      }
    }
    return rounds;
  }

  private static JsonNode tree(Path file) throws IOException {
    return JSON.readTree(BoundedFile.read(file, "a log of ESync", DataLimits.RUN_JSON_BYTES));
  }

  private static DeviceLog.Round round(JsonNode log) {
    double exchange = 0;
    JsonNode times = log.required("time");
    for (JsonNode iteration : times) {
      for (Map.Entry<String, JsonNode> phase : iteration.properties()) {
        exchange += EXCHANGES.contains(phase.getKey()) ? phase.getValue().doubleValue() : 0;
      }
    }
    return new DeviceLog.Round(
        log.required("num_samples").longValue(),
        times.size(),
        log.required("total_time").doubleValue(),
        exchange,
        log.path("accuracy").asDouble(Double.NaN));
  }

  private static List<DeviceLog> summary(Path file) throws IOException {
    List<DeviceLog> devices = new ArrayList<>();
    try {
      for (Map.Entry<String, JsonNode> host : tree(file).properties()) {
        for (Map.Entry<String, JsonNode> device : host.getValue().properties()) {
          devices.add(
              new DeviceLog(host.getKey() + "/" + device.getKey(), rounds(device.getValue())));
        }
      }
    } catch (JacksonException | IllegalArgumentException e) {
      throw new UsageException(
          file
              + ": expected lists by host and device, found "
              + e.getMessage().lines().findFirst().orElse("something else"));
    }
    return devices;
  }

  private static List<DeviceLog.Round> rounds(JsonNode device) {
    JsonNode samples = device.required("num_samples_list");
    JsonNode accuracies = device.path("accuracy_list");
    List<DeviceLog.Round> rounds = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      rounds.add(
          new DeviceLog.Round(
              samples.get(i).longValue(),
              device.required("self_iters_list").required(i).intValue(),
              device.required("elapsed_time_list").required(i).doubleValue(),
              device.required("aggregate_time_list").required(i).doubleValue(),
              accuracy(accuracies, i, samples.size())));
    }
    return rounds;
  }

  /** The accuracy of a round; accuracies are of every round, or of every second, third, …. */
  private static double accuracy(JsonNode accuracies, int round, int rounds) {
    int every = accuracies.isEmpty() ? 0 : Math.max(1, rounds / accuracies.size());
    return every > 0 && (round + 1) % every == 0
        ? accuracies.path((round + 1) / every - 1).asDouble(Double.NaN)
        : Double.NaN;
  }
}
