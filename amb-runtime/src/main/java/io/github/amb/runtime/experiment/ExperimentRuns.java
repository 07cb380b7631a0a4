package io.github.amb.runtime.experiment;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.Folder;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.console.StatusLine;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes the runs that are missing, some at a time, each in a process of its own, and says how far
 * it is.
 */
final class ExperimentRuns {
  private static final long PROGRESS_SECONDS = 60;
  private static final long STOP_SECONDS = 60;

  /** Starts a process that makes or continues a run. */
  @FunctionalInterface
  interface Starter {
    Started start(List<String> arguments, Path log) throws IOException;
  }

  /** What is waited for, for an exit code. */
  @FunctionalInterface
  interface Exit {
    int code() throws IOException, InterruptedException;
  }

  /** A process that makes a run, and the run's end, after which the process may make others. */
  record Started(Process process, Exit exit) {
    /** A process that ends with its run. */
    static Started alone(Process process) {
      return new Started(process, process::waitFor);
    }
  }

  private final List<ExperimentRun> all;
  private final Path logs;
  private final Starter starter;
  private final PrintStream out;
  private final List<String> failures = new ArrayList<>();
  private final Set<ExperimentRun> running = new LinkedHashSet<>();
  private final List<Process> processes = new ArrayList<>();
  private final long begin = System.nanoTime();
  private int kept;
  private int made;
  private double workedBefore;
  private boolean stopped;

  /**
   * @param logs folder for what the processes print; made if it is missing
   * @param out receives lines of progress
   */
  ExperimentRuns(List<ExperimentRun> all, Path logs, Starter starter, PrintStream out) {
    Set<Path> known = new HashSet<>(); // Runs with equal settings have one directory.
    this.all = all.stream().filter(run -> known.add(run.directory().path())).toList();
    this.logs = logs;
    this.starter = starter;
    this.out = out;
  }

  /**
   * Makes what is missing.
   *
   * @param jobs runs at a time
   * @param alone whether the directory is to have no other runs
   * @return why runs have failed, a line each
   */
  List<String> make(int jobs, boolean alone) throws IOException, InterruptedException {
    Files.createDirectories(logs);
    List<ExperimentRun> missing = all.stream().filter(run -> !run.isDone()).toList();
    kept = all.size() - missing.size();
    out.println(all.size() + " runs, " + kept + " of them done before");
    long others = alone ? others() : 0;
    if (others > 0) {
      out.println(
          "ignored: %d runs of the directory, whose options, data or build of AMB differ"
              .formatted(others));
    }
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    missing.forEach(run -> pool.execute(() -> one(run)));
    pool.shutdown();
    while (!pool.awaitTermination(PROGRESS_SECONDS, TimeUnit.SECONDS)) {
      out.println(progress());
    }
    return failures;
  }

  /** Runs in the same directory that are none of these. */
  private long others() throws IOException {
    Set<Path> own = all.stream().map(run -> run.directory().path()).collect(Collectors.toSet());
    return Folder.entries(logs.toAbsolutePath().getParent()).stream()
        .filter(file -> Files.exists(new RunDirectory(file).info()) && !own.contains(file))
        .count();
  }

  private void one(ExperimentRun run) {
    try {
      Path log = logs.resolve(run.directory().path().getFileName() + ".log");
      Started process = begin(run, log);
      if (process != null) {
        end(run, process.exit().code(), log);
      }
    } catch (IOException | RuntimeException e) {
      failed(run, FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts a run; null if the experiment is being stopped. */
  private synchronized Started begin(ExperimentRun run, Path log) throws IOException {
    if (stopped) {
      return null;
    }
    boolean resumed = run.isUnfinished();
    if (resumed) {
      workedBefore += share(run);
    } else {
      remove(run.directory());
      Files.deleteIfExists(log);
    }
    Started started = starter.start(resumed ? run.resume() : run.start(), log);
    running.add(run);
    processes.add(started.process());
    return started;
  }

  /** Removes what there is of a run, unless a process writes to it, as a child left behind may. */
  private static void remove(RunDirectory run) throws IOException {
    if (Files.exists(run.path())) {
      try (RunLock lock = RunLock.training(run)) {
        Disk.REAL.delete(lock.run().path());
      }
    }
  }

  private synchronized void end(ExperimentRun run, int code, Path log) throws IOException {
    running.remove(run);
    if (stopped) {
      return;
    }
    boolean diverged = run.isDiverged();
    if (diverged || code == 0) {
      made++;
      out.println(run.label() + (diverged ? ": diverged" : ": done"));
      out.println(progress());
    } else {
      failed(run, "exit code %d: %s; see %s".formatted(code, cause(log), log));
    }
  }

  /** The last line of a run's output, and what to do if it ran out of memory. */
  private static String cause(Path log) {
    String line = ProgramProcess.lastLine(log);
    boolean noMemory = line.contains(OutOfMemoryError.class.getSimpleName());
    return line + (noMemory ? "; raise heap in the experiment's file" : "");
  }

  private synchronized void failed(ExperimentRun run, String cause) {
    String failure = run.label() + ": " + cause;
    failures.add(failure);
    out.println(failure);
    out.println(progress());
  }

  /** Ends the processes, and kills those that do not end; the runs can be continued. */
  void stop() {
    synchronized (this) {
      stopped = true;
      // Process itself would close the stream that is read.
      processes.forEach(process -> process.toHandle().destroy());
    }
    for (Process process : processes) {
      Waits.run(() -> process.waitFor(STOP_SECONDS, TimeUnit.SECONDS));
      process.toHandle().destroyForcibly();
    }
  }

  /** How many runs are done, and how long the others may take if they are as long. */
  synchronized String progress() {
    int ended = made + failures.size();
    double worked = ended + running.stream().mapToDouble(ExperimentRuns::share).sum();
    double missing = all.size() - kept;
    double seconds = (System.nanoTime() - begin) * 1e-9;
    double left = StatusLine.secondsLeft(seconds, workedBefore / missing, worked / missing);
    String rest = Double.isFinite(left) ? "about " + StatusLine.left(left) : "time left unknown";
    return "%d of %d runs done, %d failed%s"
        .formatted(kept + made, all.size(), failures.size(), ended == missing ? "" : ", " + rest);
  }

  /** The part of a run that is done, by its steps; 0 where they are not limited. */
  private static double share(ExperimentRun run) {
    Long last = run.settings().get(TrainSettings.LAST_STEP);
    try {
      StepRecord step = run.directory().lastStep();
      return last == 0 || step == null ? 0 : Math.min(1, (double) step.step() / last);
    } catch (IOException | UncheckedIOException e) {
      return 0; // It is being written.
    }
  }
}
