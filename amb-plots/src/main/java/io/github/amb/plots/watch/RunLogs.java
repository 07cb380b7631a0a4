package io.github.amb.plots.watch;

import io.github.amb.core.record.LogFollower;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Follows all logs of a run, side by side. Not safe for use by several threads. */
final class RunLogs {
  private final RunDirectory directory;
  private final Map<Path, LogFollower> logs = new TreeMap<>();
  private int turn;
  private boolean nothingNew;

  /**
   * @param directory a run directory, whose logs need not exist yet
   */
  RunLogs(RunDirectory directory) {
    this.directory = directory;
  }

  /** Whether a log is shorter than what has been read, as a resumed run has cut it. */
  boolean isCut() throws IOException {
    for (LogFollower log : logs.values()) {
      if (log.isCut()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads on in all logs by turns, until nothing is new or {@code enough} records have been read.
   * The last piece that is read may exceed it.
   *
   * @throws IOException if a line is not a record, or {@code sink} rejects one; the message has the
   *     file
   */
  void read(long enough, Consumer<LogRecord> sink) throws IOException {
    List<Map.Entry<Path, LogFollower>> all = followers();
    long records = 0;
    int idle = 0;
    for (; idle < all.size() && records < enough; turn++) {
      Map.Entry<Path, LogFollower> log = all.get(turn % all.size());
      List<LogRecord> next = log.getValue().next();
      for (LogRecord record : next) {
        give(log.getKey(), record, sink);
      }
      records += next.size();
      idle = next.isEmpty() ? idle + 1 : 0;
    }
    nothingNew = idle == all.size();
  }

  private static void give(Path log, LogRecord record, Consumer<LogRecord> sink)
      throws IOException {
    try {
      sink.accept(record);
    } catch (RuntimeException e) {
      throw new IOException(
          "%s: expected counts and times of at least 0, found %.200s".formatted(log, record), e);
    }
  }

  private List<Map.Entry<Path, LogFollower>> followers() throws IOException {
    List<Path> files = new ArrayList<>(List.of(directory.masterLog(), directory.evaluatorLog()));
    directory.workers().forEach(rank -> files.add(directory.workerLog(rank)));
    files.forEach(file -> logs.computeIfAbsent(file, LogFollower::new));
    return List.copyOf(logs.entrySet());
  }

  /**
   * Share of the logs' bytes that has been read, 0 to 1; 1 if the last reading found nothing new at
   * its end. A last line without an end stays unread, as long as nobody writes more.
   */
  double share() throws IOException {
    if (nothingNew) {
      return 1;
    }
    long read = 0;
    long all = 0;
    for (Map.Entry<Path, LogFollower> log : logs.entrySet()) {
      read += log.getValue().position();
      all += Files.exists(log.getKey()) ? Files.size(log.getKey()) : 0;
    }
    return Math.min(1, (double) read / all);
  }
}
