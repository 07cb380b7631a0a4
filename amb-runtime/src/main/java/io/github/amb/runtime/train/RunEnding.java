package io.github.amb.runtime.train;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.launch.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes once how a run ended, also when Ctrl-C or SIGTERM stops the program: it then waits for the
 * ranks to end, so that the program says last why it did.
 */
final class RunEnding implements AutoCloseable {
  private final RunDirectory run;
  private final Duration patience;
  private final Thread hook = new Thread(this::stopped, "run-ending");
  private final CountDownLatch told = new CountDownLatch(1);
  private boolean written;

  /**
   * @param patience how long to wait for {@link #tell} once the program is being stopped
   */
  RunEnding(RunDirectory run, Duration patience) {
    this.run = run;
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Writes the ending to {@code run.json}; prints the run's directory if all went well, else the
   * cause. Only the first call counts.
   */
  synchronized void tell(Outcome outcome) throws IOException {
    if (written) {
      return;
    }
    written = true;
    RunWriter.end(run, outcome.exitCode(), outcome.cause().isEmpty() ? "done" : outcome.cause());
    if (!outcome.cause().isEmpty()) {
      System.err.println("amb: " + outcome.cause());
    }
    if (outcome.exitCode() == 0) {
      System.out.println(run.path());
    }
    told.countDown();
  }

  private void stopped() {
    try {
      told.await(patience.toMillis(), TimeUnit.MILLISECONDS);
      tell(new Outcome(Outcome.STOPPED, "stopped from outside"));
    } catch (IOException e) {
      System.err.println("amb: " + run.info() + ": cannot be written: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(Outcome.STOPPED);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and the hook has run or is running.
    }
  }
}
