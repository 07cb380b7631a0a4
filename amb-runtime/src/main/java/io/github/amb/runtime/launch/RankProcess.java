package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.control.ControlLine;
import io.github.amb.runtime.control.ControlServer;
import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.Order;
import io.github.amb.runtime.control.RankReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The process of a rank, with its log and its line to the launcher. */
final class RankProcess implements ControlLine.Listener {
  private static final long DRAIN_MILLIS = 3000;

  /** Start of a line for people. */
  private static final String PREFIX = "amb: ";

  final RankId id;
  private final RankStart start;
  private final Process process;
  private final Consumer<String> warnings;
  private final Consumer<Event> events;
  private final RankLog log;
  private final Thread output;
  private final Thread errors;
  private final List<ProcessHandle> family = new ArrayList<>();
  private final ControlServer control;
  private final ControlLine line;
  private volatile boolean finished;
  private volatile long remotePid;

  /**
   * Starts the rank.
   *
   * @param id which process it is
   * @param start how to start it
   * @param control receives its connection
   * @param logDirectory directory of its log
   * @param lines receives each line of its standard output
   * @param events receives its heartbeats and reports, and that its process has ended
   * @param warnings receives the master's warnings, a line each
   * @throws IOException if the log or the process cannot be created
   */
  RankProcess(
      RankId id,
      RankStart start,
      ControlServer control,
      Path logDirectory,
      Consumer<String> lines,
      Consumer<Event> events,
      Consumer<String> warnings)
      throws IOException {
    this.id = id;
    this.warnings = warnings;
    this.events = events;
    this.start = start;
    this.control = control;
    log = new RankLog(logDirectory, id.rank(), warnings);
    line = control.expect(id.rank(), id.number(), this);
    try {
      process = start.start();
    } catch (Throwable e) {
      control.forget(line);
      log.close();
      throw e;
    }
    output = log.copy("rank-" + id.rank() + "-output", process.getInputStream(), lines);
    errors = log.copy("rank-" + id.rank() + "-errors", process.getErrorStream(), this::warn);
    // Process.onExit would wait for the common pool. Since Java 25 that has a single thread on a
    // machine of two cores, which may be busy.
    Daemon.start("rank-" + id.rank() + "-exit", this::awaitExit);
  }

  @Override
  public void lives(Heartbeat heartbeat) {
    events.accept(new Event.Beat(id, heartbeat.waiting()));
  }

  /** Receives the rank's reports on the control connection's thread. */
  @Override
  public void report(RankReport report) {
    if (report instanceof RankReport.Started started) {
      remotePid = started.pid();
    }
    finished |= report instanceof RankReport.Finished;
    if (!report.describe().isEmpty()) {
      log.note("amb: rank " + id.rank() + ": " + report.describe());
    }
    events.accept(new Event.Said(id, report));
  }

  private void awaitExit() {
    process.onExit().join();
    control.forget(line);
    events.accept(new Event.Died(id));
  }

  /** Shows the master's warnings: a full disk, for example, may keep them out of the log. */
  private void warn(String line) {
    if (isMaster() && line.startsWith(PREFIX)) {
      warnings.accept(line.substring(PREFIX.length()));
    }
  }

  boolean isMaster() {
    return id.rank() == Communicator.MASTER;
  }

  /** Sends the rank an order; a rank that has ended does not receive it. */
  void tell(Order order) {
    line.send(order);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Rank, process id and, if it is another one, host. */
  String name() {
    boolean here = start.remnants() == null;
    long pid = here ? process.pid() : remotePid;
    String host = here ? "" : " on " + start.remnants().host;
    String place = ((pid == 0 ? "" : "pid " + pid) + host).strip();
    return "rank " + id.rank() + " (" + place + ")";
  }

  /** The most telling line of its log. */
  String lastLine() {
    return log.lastLine();
  }

  /**
   * What the ended process has left.
   *
   * @param kills the kernel's kills on this host as memory ran out
   */
  RankEnd end(OutOfMemoryKills kills) {
    drain();
    boolean here = start.remnants() == null;
    return new RankEnd(
        name(),
        process.exitValue(),
        log.lastLine(),
        log.crash(),
        here ? RankLog.crashReport(id.rank()) : "",
        here && kills.happened());
  }

  /** Waits for the last lines of an ended process; a grandchild may hold its pipe open. */
  private void drain() {
    if (!process.isAlive()) {
      Waits.run(() -> errors.join(DRAIN_MILLIS));
      Waits.run(() -> output.join(DRAIN_MILLIS));
    }
  }

  /** Asks the process and its descendants to end; a worker leaves nothing to do. */
  synchronized void terminate() {
    tell(new Order.Exit());
    if (family.isEmpty()) {
      try (Stream<ProcessHandle> descendants = process.descendants()) {
        descendants.forEach(family::add);
      } catch (RuntimeException e) {
        // The system does not list them, as with too many open files: the rank ends them itself.
      }
    }
    // Process.destroy would close the pipe, and the rank would end without saving.
    process.toHandle().destroy();
    family.forEach(ProcessHandle::destroy);
  }

  /** Kills the process and its descendants. */
  synchronized void kill() {
    terminate();
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
    killRemnants();
  }

  /** Begins to kill the remaining processes of an unfinished rank on another host. */
  void killRemnants() {
    if (start.remnants() != null && !finished) {
      start.remnants().kill();
    }
  }

  /** Waits for the end of {@link #killRemnants}. */
  void awaitNoRemnants() throws InterruptedException {
    if (start.remnants() != null) {
      start.remnants().await();
    }
  }

  /** Waits for the end of the process, at most {@code millis} milliseconds. */
  void awaitEnd(long millis) throws InterruptedException {
    process.waitFor(Math.max(0, millis), TimeUnit.MILLISECONDS);
  }

  /** Reads the remaining output and closes the log. */
  void close() {
    drain();
    control.forget(line);
    log.close();
  }
}
