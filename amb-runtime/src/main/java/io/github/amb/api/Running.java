package io.github.amb.api;

import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.train.EmbeddedRun;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A training that runs on a thread of its own. */
public final class Running {
  private final EmbeddedRun run;
  private final CompletableFuture<TrainingResult> task;

  Running(EmbeddedRun run) {
    this.run = run;
    task =
        CompletableFuture.supplyAsync(
            () -> Training.train(run), work -> new Thread(work, "training").start());
  }

  /** The end of training, for what is to follow it. Completing it does not end training. */
  public CompletableFuture<TrainingResult> future() {
    return task.copy();
  }

  /**
   * Asks training to end after the current step; returns at once. Processes save that step if there
   * is a run directory, and end within seconds.
   */
  public void cancel() {
    run.cancel();
  }

  /** Whether training has ended. */
  public boolean isDone() {
    return task.isDone();
  }

  /**
   * Waits for the end of training.
   *
   * @return what was learned, until the cancellation if there was one
   * @throws TrainingException if training has failed
   * @throws UsageException if the run directory cannot be made or resumed; nothing has been trained
   * @throws InterruptedException if the calling thread is interrupted; training continues
   */
  public TrainingResult result() throws InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new TrainingException(e.getCause().toString(), e.getCause());
    }
  }
}
