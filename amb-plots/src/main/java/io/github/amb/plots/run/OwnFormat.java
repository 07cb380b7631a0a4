package io.github.amb.plots.run;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.ThinnedLog;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** This program's run directories, of this and of past versions. */
final class OwnFormat {
  static final RunFormat FORMAT =
      new RunFormat("run.json and master.jsonl", OwnFormat::fits, OwnFormat::read);

  private OwnFormat() {}

  private static boolean fits(Path directory) {
    RunDirectory run = new RunDirectory(directory);
    return Files.isRegularFile(run.info()) && Files.isRegularFile(run.masterLog());
  }

  private static Run read(Path path) throws IOException {
    RunDirectory directory = new RunDirectory(path);
    RunInfo info = directory.read();
    ThinnedLog master = directory.recordsWithAllTests();
    List<Integer> ranks = directory.workers();
    ThinnedLog workers = new ThinnedLog();
    SortedMap<Integer, WorkerTime> times = new TreeMap<>();
    for (int rank : ranks) {
      directory.workerRecords(
          rank,
          record -> {
            workers.add(record);
            times.merge(record.rank(), WorkerTime.of(record), WorkerTime::plus);
          });
    }
    int count = Math.max(ranks.size(), configuredWorkers(info));
    boolean isThinned = master.isThinned() || workers.isThinned();
    if (isThinned) {
      System.err.println(
          "amb: %s: figures and exports have a part of the %s records; sums and last values are of all"
              .formatted(path, master.count() + workers.count()));
    }
    List<WorkerRecord> kept = LogRecord.of(WorkerRecord.class, workers.records());
    return new Run(directory, info, master.records(), kept, times, count, isThinned);
  }

  private static int configuredWorkers(RunInfo info) {
    String workers = info.configured("workers", "0");
    return workers.matches("\\d{1,9}") ? Integer.parseInt(workers) : 0;
  }
}
