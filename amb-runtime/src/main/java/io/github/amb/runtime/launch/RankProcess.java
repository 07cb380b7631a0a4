package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Communicator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One rank: its process, its log and what it has reported. */
final class RankProcess {
  private static final long DRAIN_MILLIS = 3000;

  final int rank;
  private final RankStart start;
  private final Process process;
  private final RankLog log;
  private final Thread output;
  private final Thread errors;
  private final List<ProcessHandle> family = new ArrayList<>();
  private volatile RankReport report;
  private volatile long heard;
  private volatile boolean pulses;
  private volatile String waits = "";
  private volatile long waitsSince;
  private volatile String remotePid;
  private volatile String reason;

  /**
   * Starts the rank.
   *
   * @param lines gets each line of its standard output
   * @param reports gets what it reports on standard error
   */
  RankProcess(
      int rank,
      RankStart start,
      Path logDirectory,
      Consumer<String> lines,
      BiConsumer<RankProcess, RankReport> reports)
      throws IOException {
    this.rank = rank;
    this.start = start;
    log = new RankLog(logDirectory, rank);
    process = start.start();
    heard = System.nanoTime();
    if (start.remote() != null) {
      start.remote().lifelines().listen(rank, this::pulsed);
    }
    output =
        log.copy(
            "rank-" + rank + "-output",
            process.getInputStream(),
            line -> {
              lines.accept(line);
              return true;
            });
    errors = log.copy("rank-" + rank + "-errors", process.getErrorStream(), l -> said(l, reports));
  }

  /** Takes a line of standard error; returns whether it belongs into the log. */
  private boolean said(String line, BiConsumer<RankProcess, RankReport> reports) {
    Optional<RankReport> found = RankReport.parse(rank, line);
    if (start.remote() == null) {
      heard = System.nanoTime();
    }
    if (found.isEmpty()) {
      warn(line);
      return true;
    }
    if (found.get().kind() == RankReport.Kind.PROCESS) {
      remotePid = found.get().text();
      return false;
    }
    if (found.get().kind() == RankReport.Kind.ALIVE) {
      pulses |= start.remote() == null;
      note(found.get().text());
      return false;
    }
    report = found.get();
    reports.accept(this, found.get());
    return true;
  }

  /** What the master warns of, say a full disk, which may keep it out of the log, is shown. */
  private void warn(String line) {
    if (rank == Communicator.MASTER && line.startsWith("amb: ")) {
      System.err.println(line);
    }
  }

  /** A rank on another host says by its lifeline alone that it lives. */
  private void pulsed() {
    pulses = true;
    heard = System.nanoTime();
  }

  private void note(String waits) {
    if (waits.isEmpty() || !waits.equals(this.waits)) {
      waitsSince = System.nanoTime();
    }
    this.waits = waits;
  }

  /** Nanoseconds for which its program has waited for one frame; 0 if it does not wait. */
  long waited() {
    return waits.isEmpty() ? 0 : System.nanoTime() - waitsSince;
  }

  /** Nanoseconds since the process last said anything; 0 for one that never says it is alive. */
  long silence() {
    return pulses ? System.nanoTime() - heard : 0;
  }

  /** Starts to count silence anew. */
  void excuse() {
    heard = System.nanoTime();
  }

  /** Tells the rank a line; one that is gone does not hear it. */
  void tell(Object order) {
    try {
      process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      // Its exit is told of by the process itself.
    }
  }

  /** Kills the process, and remembers why. */
  void kill(String why) {
    reason = why;
    kill();
  }

  /** Why the launcher killed it, or null. */
  String reason() {
    return reason;
  }

  /**
   * Calls {@code action}, on a thread of its own, when the process has ended. {@code
   * Process.onExit} would wait for the common pool, which from Java 25 on has a single thread on a
   * machine of two cores, and may be at work for whoever launches.
   */
  void onExit(Runnable action) {
    Thread thread = new Thread(() -> awaitExit(action), "rank-" + rank + "-exit");
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitExit(Runnable action) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
    action.run();
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
    return last != null && last.kind() == RankReport.Kind.FINISHED;
  }

  /** Rank, process id and, where it is another one, host. */
  String name() {
    return "rank " + rank + " (" + place() + ")";
  }

  /** {@link #name}, {@code event}, and what it reported or the most telling line of its log. */
  String describe(String event) {
    drain();
    return name() + " " + event + said(log.lastLine());
  }

  /** The same of a process killed by a signal, which its progress so far does not explain. */
  String describeKilled(int signal) {
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
    RankReport last = report;
    boolean failed = last != null && last.kind() == RankReport.Kind.FAILED;
    String said = failed ? last.text() : inLog;
    return said.isEmpty() ? "" : ": " + said;
  }

  private String place() {
    if (start.remote() == null) {
      return "pid " + process.pid();
    }
    String number = remotePid;
    return (number == null ? "" : "pid " + number + " ") + "on " + start.remote().host();
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
    // Process.destroy would close the pipe, at whose end the rank ends without saving.
    process.toHandle().destroy();
    family.forEach(ProcessHandle::destroy);
  }

  /** Kills the process and its descendants. */
  void kill() {
    terminate();
    process.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
    killRemnants();
  }

  /** Begins to kill what may be left of a rank on another host that did not finish. */
  void killRemnants() {
    if (start.remote() != null && !hasFinished()) {
      start.remote().remnants().kill();
    }
  }

  /** Waits until that is done. */
  void awaitNoRemnants() throws InterruptedException {
    if (start.remote() != null) {
      start.remote().remnants().await();
    }
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
