package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Asynchronous SGD (ASGD): every gradient is applied as it comes, and its worker continues at once
 * with the newest parameters. The choice where no worker may wait, and stale gradients do no harm.
 *
 * <p>{@code w ← w − η gᵢ / bᵢ}, where gᵢ is of the parameters that worker i was sent last.
 *
 * <p>Dean et al.: "Large Scale Distributed Deep Networks", NIPS 2012.
 */
final class Async extends BatchScheme {
  Async(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()));
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      master.broadcast(); // w to the worker that has just sent its gradient; at first to all
      master.gatherAny(1); // the next gᵢ, however old
      master.update(); // w ← w − η gᵢ / bᵢ
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
