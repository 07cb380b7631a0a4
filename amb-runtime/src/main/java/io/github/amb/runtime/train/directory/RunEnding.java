package io.github.amb.runtime.train.directory;

import io.github.amb.core.file.Printable;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.thread.UncaughtFailures;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.console.StandardOutput;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.launch.StopHook;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes once how a run ended, also if a signal stops the program. The launcher then waits for its
 * ranks to end, so that its line with the cause is the last. A rank of another program's launcher
 * writes at once, as the launcher may kill it soon.
 */
public final class RunEnding implements AutoCloseable {
  private static final RunOutcome STOPPED =
      new RunOutcome(ExitCode.STOPPED, RunOutcome.INTERRUPTED);

  private final RunLock lock;
  private final RunDirectory run;
  private final RunView view;
  private final Duration patience;
  private final StopHook hook;
  private final UncaughtFailures failures;
  private final CountDownLatch told = new CountDownLatch(1);
  private RunOutcome written;
  private EndCommand command = EndCommand.NONE;

  /**
   * @param lock lock of the run; released after a signal, once the ending is written
   * @param patience limit of the wait for {@link #tell} after a signal
   * @param view shows the result
   */
  public RunEnding(RunLock lock, Duration patience, RunView view) {
    this(lock, patience, view, true);
  }

  private RunEnding(RunLock lock, Duration patience, RunView view, boolean watches) {
    this.view = view;
    this.lock = lock;
    run = lock.run();
    this.patience = patience;
    Runnable stop = patience == null ? this::writeStopped : this::stopped;
    hook = watches ? new StopHook("run-ending", stop) : null;
    failures = patience == null ? null : new UncaughtFailures(this::uncaught);
  }

  /** The ending of a run that another program's launcher started; the rank reports failures. */
  public static RunEnding unlaunched(RunLock lock, RunView view) {
    return new RunEnding(lock, null, view, true);
  }

  /** The ending of a run of another program, which neither signals nor failures of threads end. */
  public static RunEnding ofProgram(RunLock lock) {
    return new RunEnding(lock, null, RunView.none(), false);
  }

  /** What to run after the ending, which is told it. */
  public void then(EndCommand command) {
    this.command = command;
  }

  /**
   * Writes the ending to {@code run.json}. Only the first call has an effect.
   *
   * @return the recorded ending: a failure if the final parameters are missing
   * @throws IOException if {@code run.json} cannot be written
   */
  public synchronized RunOutcome write(RunOutcome outcome) throws IOException {
    if (written == null) {
      written = outcome;
      written = RunWriter.end(run, outcome);
      command.say(written);
    }
    return written;
  }

  /** As {@link #write} after a failure; that the ending cannot be written does not hide it. */
  public void writeAfter(Throwable failure, RunOutcome outcome) {
    try {
      write(outcome);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Writes the ending to {@code run.json}. Then shows the result after a success, or one line with
   * the cause and the command to resume. Only the first call has an effect. A failure to write does
   * not hide the cause.
   *
   * @return the recorded ending; a failure if standard output or the ending could not be written
   */
  public synchronized RunOutcome tell(RunOutcome outcome) {
    if (told.getCount() == 0) {
      return written;
    }
    view.end();
    RunOutcome last = record(outcome);
    String loss = last.exitCode() == 0 ? summarize() : "";
    if (!loss.isEmpty()) {
      written = null;
      last = record(unseen(loss));
    }
    if (!last.cause().isEmpty() && last.exitCode() != ExitCode.NOBODY_READS) {
      String line = loss.isEmpty() ? causeAndRemedy(last) : last.cause();
      System.err.println("amb: " + Printable.printable(line));
    }
    if (last.exitCode() != 0 && loss.isEmpty()) {
      view.failure(last.exitCode(), causeAndRemedy(last));
    }
    told.countDown();
    return last;
  }

  private RunOutcome record(RunOutcome outcome) {
    try {
      return write(outcome);
    } catch (IOException e) {
      unwritten(e);
      int code = outcome.exitCode() == 0 ? ExitCode.FAILED : outcome.exitCode();
      return new RunOutcome(code, outcome.cause());
    }
  }

  /**
   * Shows the result. Returns why it was not written, or an empty text; the output of a rank of
   * another program's launcher is the launcher's.
   */
  private String summarize() {
    view.summary(run.path());
    return patience == null ? "" : StandardOutput.loss();
  }

  /** The outcome of a complete run whose standard output could not be written. */
  private static RunOutcome unseen(String loss) {
    return new RunOutcome(
        StandardOutput.exitCode(0, loss),
        "cannot write to standard output: " + loss + "; training is complete");
  }

  /** Ends the run and this program; the ranks in other processes end with it. */
  private void uncaught(Thread thread, Throwable failure) {
    tell(new RunOutcome(ExitCode.FAILED, FailureText.of(thread, failure)));
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }

  private void unwritten(IOException e) {
    System.err.println("amb: cannot write " + run.info() + ": " + e.getMessage());
  }

  /** The cause in one line, with the command to resume if the run can be resumed. */
  public String causeAndRemedy(RunOutcome outcome) {
    boolean done = outcome.exitCode() == 0 || outcome.exitCode() == ExitCode.USAGE;
    return done ? outcome.cause() : outcome.cause() + "; " + howToResume(outcome.cause());
  }

  private String howToResume(String cause) {
    if (Files.notExists(run.info())) {
      return "nothing of the run is left; start a new run";
    }
    String resume = "amb train --resume " + run.path();
    String startOver = "start over with: " + resume + " --resume-from start";
    if (cause.contains(StateMap.UNFIT)) {
      return "use the program that wrote it, or " + startOver;
    }
    try {
      CheckpointDirectory saved = FinalParameters.checkpoints(run);
      if (saved.steps().isEmpty()) {
        return "no checkpoint was written; start a new run";
      }
      return saved
          .latest(left -> {})
          .map(newest -> "resume after step %s with: %s".formatted(newest.step(), resume))
          .orElse("no checkpoint is usable; " + startOver);
    } catch (IOException e) {
      return e.getMessage() + "; once the file is readable, resume with: " + resume;
    }
  }

  private void writeStopped() {
    try {
      write(STOPPED);
    } catch (IOException e) {
      unwritten(e);
    }
  }

  /** A failure before the signal keeps its code; no failure here keeps the lock. */
  private void stopped() {
    int code = 0;
    try {
      told.await(patience.toMillis(), TimeUnit.MILLISECONDS);
      code = tell(STOPPED).exitCode();
      command.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.close();
      Runtime.getRuntime().halt(code == 0 ? ExitCode.STOPPED : code);
    }
  }

  @Override
  public void close() {
    if (hook != null) {
      hook.close();
    }
    if (failures != null) {
      failures.close();
    }
  }
}
