package io.github.amb.plots.watch;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Follows the files of a run, and says its numbers as Prometheus reads them. */
final class MetricsFeed {
  private final RunDirectory directory;
  private RunLogs logs;
  private RunMetrics metrics;

  /**
   * @param directory a run directory
   */
  MetricsFeed(RunDirectory directory) {
    this.directory = directory;
  }

  /**
   * The numbers of all that is recorded.
   *
   * @throws IOException if a file of the run cannot be read, or has a negative count
   */
  synchronized byte[] text() throws IOException {
    if (logs == null || logs.isCut()) {
      logs = new RunLogs(directory);
      RunInfo info = directory.read();
      String host = info.environment().getOrDefault("host", "");
      metrics = new RunMetrics(WatchedRun.workers(info), info.id(), host);
    }
    try {
      logs.read(Long.MAX_VALUE, metrics::add);
    } catch (IOException e) {
      logs = null; // Later numbers would lack a part.
      throw e;
    }
    metrics.addCheckpoints(checkpoints());
    Path log = directory.masterLog();
    Path newest = Files.exists(log) ? log : directory.info();
    metrics.at(
        Files.getLastModifiedTime(newest).toMillis() / 1e3,
        Files.getFileStore(directory.path()).getUsableSpace());
    return metrics.text();
  }

  private List<Long> checkpoints() throws IOException {
    return WatchedRun.checkpoints(directory).stream()
        .filter(name -> name.startsWith("step"))
        .map(WatchedRun::step)
        .sorted()
        .toList();
  }
}
