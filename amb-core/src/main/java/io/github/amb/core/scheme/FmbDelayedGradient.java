package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Fixed Mini-Batch with Delayed Gradients (FMB-DG), or K-batch asynchronous SGD: as {@link
 * AmbDelayedGradient}, but a worker computes a batch of B examples in place of a time T. The
 * opponent of AMB-DG in its paper.
 *
 * <p>Dutta, Joshi, Ghosh, Dube, Nagpurkar: "Slow and Stale Gradients Can Win the Race", AISTATS
 * 2018.
 */
final class FmbDelayedGradient implements Scheme {
  private final AmbDelayedGradient delayed;

  FmbDelayedGradient(SchemeOptions options) {
    delayed = new AmbDelayedGradient(options, BatchPolicy.fixed(options.batchSize()));
  }

  @Override
  public void master(Master master) {
    delayed.master(master); // w(t+1) ← w(t) − η Σ g / Σ b, over the next K gradient sums
  }

  @Override
  public void worker(Worker worker) {
    delayed.worker(worker); // g ← Σ ∇f(w(τ), x) over B examples x, again and again
  }

  @Override
  public double messageDelay() {
    return delayed.messageDelay();
  }

  @Override
  public BatchPolicy batchPolicy() {
    return delayed.batchPolicy();
  }
}
