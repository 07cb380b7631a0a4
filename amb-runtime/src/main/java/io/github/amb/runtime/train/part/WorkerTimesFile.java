package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.config.SimSettings.WORKER_TIMES;
import static io.github.amb.runtime.host.RankSettings.WORKERS;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.sim.WorkerTimes;
import io.github.amb.plots.run.CsvTable;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of {@code --worker-times}: a row for each batch of each worker. */
public final class WorkerTimesFile {
  private static final String WORKER = "worker";
  private static final String SLEEP = "sleep_time";
  private static final String COST = "seconds_per_example";

  private WorkerTimesFile() {}

  /**
   * Reads the file that the settings name.
   *
   * @throws UsageException if it cannot be read, a value has no meaning, or a worker has no row
   */
  public static WorkerTimes read(Settings settings) {
    Path file = Path.of(settings.get(WORKER_TIMES));
    List<List<WorkerTimes.Batch>> workers = new ArrayList<>();
    for (int i = 0; i < settings.get(WORKERS); i++) {
      workers.add(new ArrayList<>());
    }
    CsvTable table = table(file);
    for (int row = 0; row < table.size(); row++) {
      double worker = table.value(row, Double.NaN, WORKER);
      double sleep = table.value(row, 0, SLEEP);
      double cost = table.value(row, Double.NaN, COST);
      if (worker != Math.rint(worker) || worker < 1 || !(sleep >= 0) || !(cost >= 0)) {
        throw new UsageException(
            "--worker-times: %s line %d: expected %s 1, 2, ... and seconds of 0 or more in %s and %s, found %s, %s, %s",
            file, row + 2, WORKER, COST, SLEEP, worker, cost, sleep);
      }
      if (worker <= workers.size()) {
        workers.get((int) worker - 1).add(new WorkerTimes.Batch(sleep, cost));
      }
    }
    for (int i = 0; i < workers.size(); i++) {
      if (workers.get(i).isEmpty()) {
        throw new UsageException(
            "--worker-times: %s: expected a row of each of %d workers, found none of worker %d; add it, or set fewer --workers",
            file, workers.size(), i + 1);
      }
    }
    return new WorkerTimes(workers);
  }

  private static CsvTable table(Path file) {
    if (!Files.exists(file)) {
      throw new UsageException("--worker-times: expected a file, found none at " + file);
    }
    try {
      return CsvTable.read(file);
    } catch (IOException e) {
      throw new UsageException("--worker-times: cannot read " + e.getMessage());
    }
  }

  /** Writes a file that {@link #read} reads. */
  public static void write(WorkerTimes times, Path file) throws IOException {
    StringBuilder text = new StringBuilder(String.join(",", WORKER, SLEEP, COST) + "\n");
    for (int i = 0; i < times.workers().size(); i++) {
      for (WorkerTimes.Batch batch : times.workers().get(i)) {
        text.append(i + 1).append(',').append(batch.sleep());
        text.append(',').append(batch.perExample()).append('\n');
      }
    }
    Files.writeString(file, text);
  }
}
