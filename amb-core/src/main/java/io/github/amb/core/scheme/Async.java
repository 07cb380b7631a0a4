package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Asynchronous SGD (ASGD): every gradient is applied as it comes, and its worker continues at once
 * with the newest parameters. The choice where no worker may wait, and stale gradients do no harm.
 *
 * <p>{@code w ← w − η Σ gᵢ / Σ bᵢ} over the next K gradients, of which gᵢ is of the parameters that
 * worker i was sent last. K is 1 unless given. With more it is K-batch asynchronous SGD: a worker
 * whose gradient comes before the K-th is sent the same parameters again. Unlike in {@link
 * FmbDelayedGradient}, a worker waits for its parameters while messages are under way.
 *
 * <p>Dean et al.: "Large Scale Distributed Deep Networks", NIPS 2012; Dutta, Joshi, Ghosh, Dube,
 * Nagpurkar: "Slow and Stale Gradients Can Win the Race", AISTATS 2018.
 */
class Async extends BatchScheme {
  static final Setting<Integer> GRADIENTS =
      Setting.integer("gradients-per-update", 1, 1)
          .help("gradients that the master waits for, K, from whichever workers");

  private final int gradients;

  Async(SchemeOptions options) {
    this(options, BatchPolicy.fixed(options.batchSize()));
  }

  /** A variant of it, which may have no such option. */
  Async(SchemeOptions options, BatchPolicy policy) {
    super(policy);
    gradients = options.get(GRADIENTS);
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      while (master.results() < gradients) {
        master.broadcast(); // w to the worker that has just sent its gradient; at first to all
        master.receiveAny(); // the next gᵢ, however old
      }
      master.update(); // w ← w − η Σ gᵢ / Σ bᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    if (gradients > 1) {
      worker.numberBatches(); // Several may be of one step.
    }
    while (worker.receive()) { // w
      worker.computeBatch(); // gᵢ ← Σ ∇f(w, x) over bᵢ = B examples x
      worker.send(); // gᵢ, bᵢ
    }
  }
}
