package io.github.amb.runtime.train;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends training soon after the run's directory was removed. Its open files tell nobody, and the
 * records would be lost, and the run with its last step.
 */
final class DirectoryWatch implements Consumer<LogRecord> {
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RunDirectory run;
  private long next = System.nanoTime();

  DirectoryWatch(RunDirectory run) {
    this.run = run;
  }

  /**
   * Looks, with the record of a step, at most once a second.
   *
   * @throws RemovedRunException if there is certainly no {@code run.json} any more
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
