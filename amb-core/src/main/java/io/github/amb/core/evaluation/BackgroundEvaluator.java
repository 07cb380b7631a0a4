package io.github.amb.core.evaluation;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.thread.Daemon;

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
  private final Thread thread;
  private float[] snapshot = {};
  private double time;
  private long step;
  private boolean busy;
  private boolean closed;
  private long declineUntil = Long.MIN_VALUE;
  private Throwable failure;

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
    thread = Daemon.start("evaluator", this::work, this::failed);
  }

  @Override
  public synchronized void offer(double time, long step, float[] parameters) {
    rethrow();
    if (step % every == 0 && !busy && clock.now() >= declineUntil) {
      start(time, step, parameters);
    }
  }

  @Override
  public synchronized void last(double time, long step, float[] parameters) {
    awaitIdle();
    if (this.step != step || snapshot.length == 0) {
      start(time, step, parameters);
      awaitIdle();
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
    this.time = time;
    this.step = step;
    busy = true;
    notifyAll();
  }

  private void awaitIdle() {
    try {
      while (busy && failure == null) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while waiting for an evaluation", e);
    }
    rethrow();
  }

  private void rethrow() {
    if (failure != null) {
      String message = failure instanceof Error ? failure.toString() : failure.getMessage();
      throw new EngineException("evaluation failed: " + message, failure);
    }
  }

  private void work() {
    try {
      while (awaitSnapshot()) {
        long start = clock.now();
        evaluator.last(time, step, snapshot);
        finished(start, clock.now());
      }
    } finally {
      evaluator.close();
    }
  }

  private synchronized boolean awaitSnapshot() {
    try {
      while (!busy && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("the evaluator's thread was interrupted", e);
    }
    return busy;
  }

  private synchronized void finished(long start, long end) {
    declineUntil = end + (long) ((end - start) * (1 / MAX_SHARE - 1));
    busy = false;
    notifyAll();
  }

  private synchronized void failed(Throwable e) {
    failure = e;
    busy = false;
    notifyAll();
  }

  /** Waits for an evaluation in progress, as it uses the model and records its result. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Daemon.join(thread);
  }
}
