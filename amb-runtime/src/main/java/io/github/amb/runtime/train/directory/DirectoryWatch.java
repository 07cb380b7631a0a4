package io.github.amb.runtime.train.directory;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends training soon after the run's directory was removed. The log files are open, so writing to
 * them does not fail; without this check all records would be lost unnoticed.
 */
final class DirectoryWatch implements Consumer<LogRecord> {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RunDirectory run;
  private long next = System.nanoTime();

  DirectoryWatch(RunDirectory run) {
    this.run = run;
  }

  /**
   * Checks for {@code run.json} when a step is recorded, at most once a second.
   *
   * @throws RemovedRunException if {@code run.json} does not exist any more
   */
  @Override
  public void accept(LogRecord record) {
    long now = System.nanoTime();
    if (record instanceof StepRecord && now - next >= 0) {
      next = now + EVERY_NANOS;
      if (Files.notExists(run.info())) {
        throw new RemovedRunException(run.path());
      }
    }
  }
}
