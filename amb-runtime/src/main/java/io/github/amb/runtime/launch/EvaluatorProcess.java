package io.github.amb.runtime.launch;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Reading;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The process that tests a run's checkpoints while it trains: {@code amb evaluate --watch}, as
 * AdaComp's Supervisor and ATOMO's evaluator do. It ends with the run, or with the launcher, also
 * if it is stopped.
 */
public final class EvaluatorProcess implements AutoCloseable {
  private static final long POLL_MILLIS = 200;

  private final RunDirectory run;
  private final Process process;
  private final Consumer<String> warnings;
  private final StopHook hook;
  private volatile boolean closed;

  private EvaluatorProcess(RunDirectory run, Process process, Consumer<String> warnings) {
    this.run = run;
    this.process = process;
    this.warnings = warnings;
    hook = new StopHook("end-evaluator", process::destroyForcibly);
  }

  /**
   * Starts an evaluator, whose output goes to the run's {@code evaluator.log}.
   *
   * @param run has {@code run.json} already
   * @param plugins the jars of plugins, joined by commas; null for none
   * @param warnings receives a line if the evaluator fails, or is killed
   * @throws IOException if the process or its log cannot be created
   */
  public static EvaluatorProcess start(RunDirectory run, String plugins, Consumer<String> warnings)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("evaluate", "--watch", run.path().toString()));
    if (plugins != null) {
      arguments.add("--plugins=" + plugins);
    }
    Path log = run.path().resolve("evaluator.log");
    // Rejects a symbolic link, which the process would follow.
    BoundedFile.append(log).close();
    Process process = JvmCommand.startProgram(List.of("-Xmx1g"), arguments, log);
    EvaluatorProcess evaluator = new EvaluatorProcess(run, process, warnings);
    Daemon.start("evaluator-exit", evaluator::watch);
    return evaluator;
  }

  /** Logs a failure of the evaluator, which the run itself does not need. */
  private void watch() {
    int code = process.onExit().join().exitValue();
    if (code != 0 && !closed) {
      warnings.accept(
          "the evaluator exited with code %d; see %s; to test the remaining checkpoints: amb evaluate %s"
              .formatted(code, run.path().resolve("evaluator.log"), run.path()));
    }
  }

  /**
   * Waits until the last checkpoint of an ended run has been tested. Does not wait if the end could
   * not be recorded: the evaluator waits for that record.
   *
   * @param limit how long the evaluator may compute nothing, as a stopped process; then it is
   *     killed
   */
  public void await(Duration limit) {
    if (!isEndRecorded()) {
      return;
    }
    Duration computed = computed();
    long since = System.nanoTime();
    while (process.isAlive()
        && Waits.run(() -> process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS))) {
      Duration now = computed();
      if (!now.equals(computed)) {
        computed = now;
        since = System.nanoTime();
      } else if (process.isAlive() && System.nanoTime() - since > limit.toNanos()) {
        close();
        warnings.accept(
            "killed the evaluator (pid %d), which had computed nothing for %s s; to test the remaining checkpoints: amb evaluate %s"
                .formatted(process.pid(), limit.toMillis() / 1000.0, run.path()));
      }
    }
  }

  /** Processor time of the evaluator; a time that passes where the system does not tell it. */
  private Duration computed() {
    return process.info().totalCpuDuration().orElseGet(() -> Duration.ofNanos(System.nanoTime()));
  }

  private boolean isEndRecorded() {
    // The run's directory is gone.
    return Reading.orElse(false, () -> run.read().ending() != null);
  }

  /** Ends the evaluator if it still runs. */
  @Override
  public void close() {
    closed = true;
    process.destroyForcibly();
    hook.close();
  }
}
