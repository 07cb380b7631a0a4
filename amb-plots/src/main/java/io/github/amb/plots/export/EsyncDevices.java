package io.github.amb.plots.export;

import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.DeviceLog;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Converts a run's workers to ESync's devices. The first worker has the accuracies, as ESync's rank
 * 0 evaluates.
 */
final class EsyncDevices {
  private EsyncDevices() {}

  static List<DeviceLog> of(Run run) {
    List<DeviceLog> devices = new ArrayList<>();
    run.workersByRank()
        .forEach(
            (rank, records) ->
                devices.add(
                    new DeviceLog(name(run, rank), rounds(run, records, devices.isEmpty()))));
    return devices;
  }

  private static String name(Run run, int rank) {
    if (run.info().configuration().get("devices") instanceof List<?> devices
        && rank >= 1
        && devices.size() >= rank) {
      return String.valueOf(devices.get(rank - 1));
    }
    return run.info().environment().getOrDefault("host", "localhost") + "/worker" + rank;
  }

  private static List<DeviceLog.Round> rounds(
      Run run, List<WorkerRecord> records, boolean evaluates) {
    TreeMap<Long, Double> accuracies = new TreeMap<>();
    if (evaluates) {
      run.evaluations().forEach(found -> accuracies.put(found.step(), found.accuracy()));
    }
    List<DeviceLog.Round> rounds = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      WorkerRecord record = records.get(i);
      boolean last = i + 1 == records.size();
      double exchange = last ? lastExchange(run, record) : exchange(records.get(i + 1));
      rounds.add(
          new DeviceLog.Round(
              record.numSamples(),
              entries(run, record),
              record.time() + exchange,
              exchange,
              take(accuracies, last ? Long.MAX_VALUE : record.masterStep())));
    }
    return rounds;
  }

  /** Takes out the accuracies until a step; returns the last of them, NaN if there is none. */
  private static double take(NavigableMap<Long, Double> accuracies, long step) {
    NavigableMap<Long, Double> until = accuracies.headMap(step, true);
    double accuracy = until.isEmpty() ? Double.NaN : until.lastEntry().getValue();
    until.clear();
    return accuracy;
  }

  /** Number of entries in ESync's log: local iterations, and with esync one for the exchange. */
  private static int entries(Run run, WorkerRecord record) {
    if (!run.info().configured("scheme", "").equals("esync")) {
      return record.partitions();
    }
    String slices = run.info().configured("esync-partitions", "1");
    return 1
        + record.partitions() / (slices.matches("[1-9]\\d{0,8}") ? Integer.parseInt(slices) : 1);
  }

  /** Seconds of the exchange after a gradient; the next record has them. */
  private static double exchange(WorkerRecord next) {
    return Math.max(0, next.lastSend())
        + Math.max(0, next.lastRecv())
        + Math.max(0, next.lastExit());
  }

  /**
   * Seconds of the exchange after the last gradient, which no record has: until the master's
   * update.
   */
  private static double lastExchange(Run run, WorkerRecord record) {
    return run.steps().stream()
        .filter(step -> step.step() == record.masterStep())
        .mapToDouble(StepRecord::time)
        .map(time -> Math.max(0, time - record.time()))
        .findFirst()
        .orElse(0);
  }
}
