package io.github.amb.plots.watch;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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
   * @throws IOException if a file of the run cannot be read
   */
  synchronized byte[] text() throws IOException {
    if (logs == null || logs.isCut()) {
      logs = new RunLogs(directory);
      metrics = new RunMetrics(WatchedRun.workers(directory.read()));
    }
    logs.read(Long.MAX_VALUE, metrics::add);
    metrics.addCheckpoints(checkpoints());
    return metrics.text();
  }

  private List<Long> checkpoints() throws IOException {
    if (!Files.isDirectory(directory.checkpoints())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory.checkpoints())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("step-\\d{1,15}"))
          .map(name -> Long.valueOf(name.substring(name.indexOf('-') + 1)))
          .sorted()
          .toList();
    }
  }
}
