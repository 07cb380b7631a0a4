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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A rank: its process, its log and its reports. */
public final class RankProcess {
  private static final long DRAIN_MILLIS = 3000;

  /** Start of a line for people. */
  private static final String PREFIX = "amb: ";

  public final int rank;

  /** How often the rank was started before. */
  public final int number;

  private final RankStart start;
  private final Process process;
  private final Consumer<String> warnings;
  private final BiConsumer<RankProcess, RankReport> reports;
  private final RankLog log;
  private final Thread output;
  private final Thread errors;
  private final List<ProcessHandle> family = new ArrayList<>();
  private final ControlServer control;
  private final ControlLine line;
  private volatile RankReport.Failed failure;
  private volatile long failed;
  private volatile boolean finished;
  private volatile long heard;
  private volatile boolean beats;
  private volatile Heartbeat.Wait waits;
  private volatile long waitsSince;
  private volatile long remotePid;
  private volatile String reason;
  private volatile boolean stuck;
  private boolean outside;

  /**
   * Starts the rank.
   *
   * @param rank its number in the run
   * @param start how to start it
   * @param number how often the rank was started before
   * @param control receives its connection
   * @param logDirectory directory of its log
   * @param lines receives each line of its standard output
   * @param reports receives its reports
   * @param warnings receives the master's warnings, a line each
   * @throws IOException if the log or the process cannot be created
   */
  public RankProcess(
      int rank,
      RankStart start,
      int number,
      ControlServer control,
      Path logDirectory,
      Consumer<String> lines,
      BiConsumer<RankProcess, RankReport> reports,
      Consumer<String> warnings)
      throws IOException {
    this.rank = rank;
    this.warnings = warnings;
    this.reports = reports;
    this.start = start;
    this.number = number;
    this.control = control;
    log = new RankLog(logDirectory, rank, warnings);
    line = control.expect(rank, number, new Ear());
    try {
      process = start.start();
    } catch (Throwable e) {
      control.forget(line);
      log.close();
      throw e;
    }
    heard = System.nanoTime();
    output = log.copy("rank-" + rank + "-output", process.getInputStream(), lines);
    errors = log.copy("rank-" + rank + "-errors", process.getErrorStream(), this::warn);
  }

  /** Receives the rank's reports on the control connection's thread. */
  private final class Ear implements ControlLine.Listener {
    @Override
    public void lives(Heartbeat heartbeat) {
      heard = System.nanoTime();
      beats = true;
      note(heartbeat.waiting());
    }

    @Override
    public void report(RankReport report) {
      heard = System.nanoTime();
      note(report);
      reports.accept(RankProcess.this, report);
    }
  }

  private void note(RankReport report) {
    if (report instanceof RankReport.Started started) {
      remotePid = started.pid();
    } else if (report instanceof RankReport.Failed why) {
      failed = System.nanoTime();
      failure = why;
    } else if (report instanceof RankReport.Finished) {
      finished = true;
    }
    if (!report.describe().isEmpty()) {
      note(report.describe());
    }
  }

  private void note(String sentence) {
    log.note("amb: rank " + rank + ": " + sentence);
  }

  /** Shows the master's warnings: a full disk, for example, may keep them out of the log. */
  private void warn(String line) {
    if (rank == Communicator.MASTER && line.startsWith(PREFIX)) {
      warnings.accept(line.substring(PREFIX.length()));
    }
  }

  private void note(Heartbeat.Wait now) {
    if (now == null || !now.equals(waits)) {
      waitsSince = System.nanoTime();
    }
    waits = now;
  }

  /** Nanoseconds for which the rank's program has waited for one message; 0 if it does not wait. */
  public long waited() {
    return waits == null ? 0 : System.nanoTime() - waitsSince;
  }

  /** Nanoseconds since the rank's last heartbeat or report; 0 before the first heartbeat. */
  public long silence() {
    return beats ? System.nanoTime() - heard : 0;
  }

  /** Restarts the count of {@link #silence} from zero. */
  public void excuse() {
    heard = System.nanoTime();
  }

  /** Sends the rank an order; a rank that has ended does not receive it. */
  public void tell(Order order) {
    line.send(order);
  }

  /** Kills the process, and remembers the reason. */
  public void kill(String why) {
    reason = why;
    kill();
  }

  /** Why the launcher killed the process, or null. */
  public String reason() {
    return reason;
  }

  /**
   * Calls {@code action} on a thread of its own when the process has ended. {@code Process.onExit}
   * would wait for the common pool. Since Java 25 that has a single thread on a machine of two
   * cores, which may be busy.
   */
  public void onExit(Runnable action) {
    Daemon.start("rank-" + rank + "-exit", () -> awaitExit(action));
  }

  private void awaitExit(Runnable action) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
    action.run();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Exit code of the ended process; 128 + n if signal n killed it. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Whether the rank has reported that it finished. */
  public boolean hasFinished() {
    return finished;
  }

  /** The failure that the rank reported; null if it reported none. */
  public RankReport.Failed failure() {
    return failure;
  }

  /** Nanoseconds since the rank reported its failure; 0 if it reported none. */
  public long sinceFailure() {
    return failure == null ? 0 : System.nanoTime() - failed;
  }

  /** Kills a process that reported its failure and does not exit. */
  public void killStuck() {
    stuck = true;
    kill();
  }

  /** Whether {@link #killStuck} was called. */
  public boolean isStuck() {
    return stuck;
  }

  public ControlLine line() {
    return line;
  }

  /** Records whether the rank is connecting to others, and so not connected to all. */
  public void outside(boolean waits) {
    outside = waits;
  }

  /** Whether the rank is connecting to others. */
  public boolean isOutside() {
    return outside;
  }

  /** Whether the rank runs on the launcher's host. */
  public boolean isHere() {
    return start.remote() == null;
  }

  /** Rank, process id and, if it is another one, host. */
  public String name() {
    return "rank " + rank + " (" + place() + ")";
  }

  /** {@link #name}, {@code event}, and the rank's report or the most telling line of its log. */
  public String describe(String event) {
    drain();
    return name() + " " + event + said(log.lastLine());
  }

  /**
   * {@link #name}, the signal that killed the process, and the crash that its log may have. The
   * last ordinary line does not explain a signal.
   */
  public String describeKilled(int signal) {
    drain();
    String crash = log.crash();
    boolean report = !crash.isEmpty() && start.remote() == null;
    return name()
        + " was killed by signal "
        + signal
        + said(crash)
        + (report ? "; see " + RankLog.crashReport(rank) : "");
  }

  private String said(String inLog) {
    RankReport.Failed own = failure;
    String said = own == null ? inLog : own.cause();
    return said.isEmpty() ? "" : ": " + said;
  }

  private String place() {
    if (start.remote() == null) {
      return "pid " + process.pid();
    }
    long pid = remotePid;
    return (pid == 0 ? "" : "pid " + pid + " ") + "on " + start.remote().host();
  }

  /** Waits for the last lines of an ended process; a grandchild may hold its pipe open. */
  private void drain() {
    if (!process.isAlive()) {
      Waits.run(() -> errors.join(DRAIN_MILLIS));
      Waits.run(() -> output.join(DRAIN_MILLIS));
    }
  }

  /** Asks the process and its descendants to end. */
  synchronized void terminate() {
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
  public synchronized void kill() {
    terminate();
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
    killRemnants();
  }

  /** Begins to kill the remaining processes of an unfinished rank on another host. */
  void killRemnants() {
    if (start.remote() != null && !hasFinished()) {
      start.remote().remnants().kill();
    }
  }

  /** Waits for the end of {@link #killRemnants}. */
  void awaitNoRemnants() throws InterruptedException {
    if (start.remote() != null) {
      start.remote().remnants().await();
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
