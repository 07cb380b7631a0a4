package io.github.amb.plots.run;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * ESync's logs: folders {@code host/device} or {@code device} of {@code iter-1.txt}, {@code
 * iter-2.txt}, …, or the JSON file that its {@code summary.py} makes of them. The mode is the
 * folder's name, as its documents lay them out: {@code esync}, {@code sync}, {@code async}, {@code
 * dcasgd}, with {@code -niid} where classes are split.
 */
public final class EsyncFormat {
  private static final Map<String, String> SCHEMES =
      Map.of("esync", "esync", "sync", "fmb", "async", "async", "dcasgd", "dcasgd");

  static final RunFormat FORMAT =
      new RunFormat("DEVICE/iter-1.txt", EsyncLogs::fits, EsyncFormat::read);

  private EsyncFormat() {}

  /**
   * Reads the logs of an ESync run, by device; empty for any other run.
   *
   * @throws UsageException if a file is malformed
   * @throws IOException if a file cannot be read
   */
  public static Optional<List<DeviceLog>> logs(Path directory) throws IOException {
    return EsyncLogs.fits(directory) ? Optional.of(EsyncLogs.read(directory)) : Optional.empty();
  }

  private static Run read(Path directory) throws IOException {
    List<DeviceLog> devices = EsyncLogs.read(directory);
    Path full = directory.toAbsolutePath().normalize();
    String folder = full.getFileName().toString();
    String mode = folder.toLowerCase(Locale.ROOT).replace("-niid", "");
    String scheme = SCHEMES.getOrDefault(mode, "esync");
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("scheme", scheme);
    configuration.put("workers", devices.size());
    if (folder.endsWith("-niid")) {
      configuration.put("shards", "by-class");
    }
    configuration.put("devices", devices.stream().map(DeviceLog::name).toList());
    if (SCHEMES.containsKey(mode) && full.getParent() != null) {
      configuration.put("network", full.getParent().getFileName().toString());
    }
    boolean together = scheme.equals("esync") || scheme.equals("fmb");
    return new Run(
        new RunDirectory(directory),
        RunInfo.foreign(folder, configuration),
        master(together ? rounds(devices) : pushes(devices)),
        together ? workers(devices, scheme) : asynchronous(devices),
        devices.size());
  }

  /** All workers' records of a synchronous run; a round belongs to the update of its number. */
  private static List<WorkerRecord> workers(List<DeviceLog> devices, String scheme) {
    int exchanges = scheme.equals("esync") ? 1 : 0;
    List<WorkerRecord> records = new ArrayList<>();
    for (int device = 0; device < devices.size(); device++) {
      List<DeviceLog.Round> rounds = devices.get(device).rounds();
      for (int i = 0; i < rounds.size(); i++) {
        records.add(record(device + 1, rounds, i, i + 1L, exchanges, 0));
      }
    }
    return records;
  }

  /**
   * All workers' records of an asynchronous run; a round belongs to the update that its push makes.
   * Its parameters are those after the device's previous push, so its staleness is the number of
   * pushes in between.
   */
  private static List<WorkerRecord> asynchronous(List<DeviceLog> devices) {
    List<Push> pushes = pushes(devices);
    List<WorkerRecord> records = new ArrayList<>();
    for (int device = 0; device < devices.size(); device++) {
      List<DeviceLog.Round> rounds = devices.get(device).rounds();
      long before = 0;
      for (int i = 0, step = 1; i < rounds.size(); step++) {
        if (pushes.get(step - 1).device() == device) {
          records.add(record(device + 1, rounds, i++, step, 0, step - 1 - before));
          before = step;
        }
      }
    }
    return records;
  }

  private static WorkerRecord record(
      int rank, List<DeviceLog.Round> rounds, int i, long step, int exchanges, long staleness) {
    DeviceLog.Round round = rounds.get(i);
    double computed = round.elapsed() - round.aggregate();
    double compute = Math.max(0, computed - (i == 0 ? 0 : rounds.get(i - 1).elapsed()));
    return new WorkerRecord(
        computed,
        step,
        rank,
        round.samples(),
        Math.max(1, round.iterations() - exchanges),
        false,
        i == 0 ? -1 : 0,
        i == 0 ? -1 : rounds.get(i - 1).aggregate(),
        i == 0 ? -1 : 0,
        -1,
        compute,
        compute,
        staleness);
  }

  /** One arrival at the server; in a synchronous round, that of all devices together. */
  private record Push(int device, double time, long samples, double accuracy) {}

  private static List<LogRecord> master(List<Push> updates) {
    List<LogRecord> records = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < updates.size(); i++) {
      Push update = updates.get(i);
      total += update.samples();
      records.add(
          new StepRecord(
              update.time(), i + 1L, Double.NaN, Double.NaN, update.samples(), total, 0, 0, 0, 0));
      if (!Double.isNaN(update.accuracy())) {
        records.add(
            new EvaluationRecord(update.time(), i + 1L, Double.NaN, update.accuracy(), 0, 0));
      }
    }
    return records;
  }

  /** Every push, in the order of time. */
  private static List<Push> pushes(List<DeviceLog> devices) {
    List<Push> pushes = new ArrayList<>();
    for (int device = 0; device < devices.size(); device++) {
      for (DeviceLog.Round round : devices.get(device).rounds()) {
        pushes.add(new Push(device, round.elapsed(), round.samples(), round.accuracy()));
      }
    }
    pushes.sort(Comparator.comparingDouble(Push::time));
    return pushes;
  }

  /** The pushes of each round together, up to the last round that every device has. */
  private static List<Push> rounds(List<DeviceLog> devices) {
    int complete = devices.stream().mapToInt(device -> device.rounds().size()).min().orElse(0);
    List<Push> rounds = new ArrayList<>();
    for (int i = 0; i < complete; i++) {
      double time = 0;
      long samples = 0;
      double accuracy = Double.NaN;
      for (DeviceLog device : devices) {
        DeviceLog.Round round = device.rounds().get(i);
        time = Math.max(time, round.elapsed());
        samples += round.samples();
        accuracy = Double.isNaN(round.accuracy()) ? accuracy : round.accuracy();
      }
      rounds.add(new Push(0, time, samples, accuracy));
    }
    if (rounds.isEmpty()) {
      throw new UsageException("ESync logs: expected a round of every device, found none");
    }
    return rounds;
  }
}
