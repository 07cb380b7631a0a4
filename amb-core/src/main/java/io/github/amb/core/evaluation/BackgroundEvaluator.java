package io.github.amb.core.evaluation;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Evaluates on its own thread, so that no worker waits. Evaluations may share cores with ranks. So
 * a snapshot is declined while another one is being evaluated, and while evaluations have taken
 * more than {@link #MAX_SHARE} of the time.
 */
public final class BackgroundEvaluator implements Evaluator {
  /** Maximum share of the time that is spent on evaluations, 0 to 1. */
  public static final double MAX_SHARE = 0.2;

  private final Evaluator evaluator;
  private final Clock clock;
  private final int every;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Daemon.factory("evaluator"));
  private float[] snapshot = {};
  private long step;
  private long declineUntil = Long.MIN_VALUE;

  /** The newest evaluation, of {@link #snapshot}. */
  private Future<?> evaluation = CompletableFuture.completedFuture(null);

  /**
   * @param evaluator evaluates every step it is offered; called on this evaluator's thread only,
   *     and closed with it
   * @param clock a real clock
   * @param every evaluate steps that are multiples of this; positive
   */
  public BackgroundEvaluator(Evaluator evaluator, Clock clock, int every) {
    this.evaluator = evaluator;
    this.clock = clock;
    this.every = every;
  }

  @Override
  public synchronized void offer(double time, long step, float[] parameters) {
    if (evaluation.isDone()) {
      await();
      if (step % every == 0 && clock.now() >= declineUntil) {
        start(time, step, parameters);
      }
    }
  }

  @Override
  public synchronized void last(double time, long step, float[] parameters) {
    await();
    if (this.step != step || snapshot.length == 0) {
      start(time, step, parameters);
      await();
    }
  }

  @Override
  public EvaluationRecord newest() {
    return evaluator.newest();
  }

  private void start(double time, long step, float[] parameters) {
    if (snapshot.length != parameters.length) {
      snapshot = new float[parameters.length];
    }
    System.arraycopy(parameters, 0, snapshot, 0, parameters.length);
    this.step = step;
    evaluation =
        thread.submit(
            () -> {
              long start = clock.now();
              evaluator.last(time, step, snapshot);
              long end = clock.now();
              declineUntil = end + (long) ((end - start) * (1 / MAX_SHARE - 1));
            });
  }

  private void await() {
    try {
      evaluation.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while waiting for an evaluation", e);
    } catch (ExecutionException e) {
      Throwable failure = e.getCause();
      String message = failure instanceof Error ? failure.toString() : failure.getMessage();
      throw new EngineException("evaluation failed: " + message, failure);
    }
  }

  /** Waits for an evaluation in progress, as it uses the model and records its result. */
  @Override
  public void close() {
    synchronized (this) {
      if (!thread.isShutdown()) {
        evaluation = thread.submit(evaluator::close);
        thread.shutdown();
      }
    }
    Waits.uninterrupted(() -> thread.awaitTermination(Long.MAX_VALUE, TimeUnit.DAYS));
  }
}
