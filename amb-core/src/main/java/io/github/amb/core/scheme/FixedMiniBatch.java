package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Fixed Mini-Batch (FMB): every worker computes its whole batch, and the step ends with the slowest
 * worker. Also known as synchronous SGD. The choice where all workers are equally fast.
 *
 * <p>{@code w ← w − η Σᵢ gᵢ / Σᵢ bᵢ}, where gᵢ is the sum of worker i's bᵢ gradients at w.
 */
final class FixedMiniBatch extends BatchScheme {
  FixedMiniBatch(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()));
  }

  @Override
  public boolean sumsGradients() {
    return true;
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      master.broadcast(); // w to all
      master.gather(master.workers()); // gᵢ, bᵢ of each
      master.update(); // w ← w − η Σ gᵢ / Σ bᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    while (worker.receive()) { // w
      worker.computeBatch(); // gᵢ ← Σ ∇f(w, x) over bᵢ = B examples x
      worker.send(); // gᵢ, bᵢ
    }
  }
}
