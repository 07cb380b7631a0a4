package io.github.amb.runtime.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One rank: its process, its log and what it has reported. */
final class RankProcess {
  private static final long DRAIN_MILLIS = 500;

  final int rank;
  private final Process process;
  private final RankLog log;
  private final Thread output;
  private final Thread errors;
  private final List<ProcessHandle> family = new ArrayList<>();
  private volatile RankReport report;

  /**
   * Starts the rank.
   *
   * @param lines gets each line of its standard output
   * @param reports gets what it reports on standard error
   */
  RankProcess(
      int rank,
      ProcessBuilder command,
      Path logDirectory,
      Consumer<String> lines,
      Consumer<RankReport> reports)
      throws IOException {
    this.rank = rank;
    log = new RankLog(logDirectory, rank);
    process = command.start();
    output = log.copy("rank-" + rank + "-output", process.getInputStream(), lines);
    errors =
        log.copy(
            "rank-" + rank + "-errors",
            process.getErrorStream(),
            line -> RankReport.parse(rank, line).ifPresent(found -> take(found, reports)));
  }

  private void take(RankReport found, Consumer<RankReport> reports) {
    report = found;
    reports.accept(found);
  }

  /** Calls {@code action} when the process has ended. */
  void onExit(Runnable action) {
    process.onExit().thenRun(action);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Exit code of the ended process; 128 + n if signal n killed it. */
  int exitCode() {
    return process.exitValue();
  }

  /** Whether the rank has reported that it is done. */
  boolean hasFinished() {
    RankReport last = report;
    return last != null && last.finished();
  }

  /** Rank, process id, {@code event} and the most telling line of the log. */
  String describe(String event) {
    drain();
    RankReport last = report;
    String said = last != null && !last.finished() ? last.cause() : log.lastLine();
    String text = "rank " + rank + " (pid " + process.pid() + ") " + event;
    return said.isEmpty() ? text : text + ": " + said;
  }

  /** Waits for the last lines of an ended process, which a grandchild may hold open. */
  private void drain() {
    if (process.isAlive()) {
      return;
    }
    try {
      errors.join(DRAIN_MILLIS);
      output.join(DRAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the process and its descendants to end. */
  void terminate() {
    if (family.isEmpty()) {
      try (Stream<ProcessHandle> descendants = process.descendants()) {
        descendants.forEach(family::add);
      }
    }
    process.destroy();
    family.forEach(ProcessHandle::destroy);
  }

  /** Kills the process and its descendants. */
  void kill() {
    terminate();
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
  }

  /** Waits until the process has ended; returns false if it has not in time. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return process.waitFor(Math.max(0, millis), TimeUnit.MILLISECONDS);
  }

  /** Reads what is left to read and closes the log. */
  void close() {
    drain();
    log.close();
  }
}
