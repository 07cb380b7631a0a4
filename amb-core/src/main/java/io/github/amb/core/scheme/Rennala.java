package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.Master;

/**
 * Rennala SGD: the next K gradients at the newest parameters, from whichever workers; older ones
 * are dropped. Of optimal time where all workers have the same data. With unequal shards it favors
 * those of fast workers.
 *
 * <p>{@code w ← w − η Σ gᵢ / Σ bᵢ} over K gradients at w. Two variants: workers finish what is too
 * old, as in the paper, or restart.
 *
 * <p>Tyurin and Richtárik: "Optimal Time Complexities of Parallel Stochastic Optimization Methods
 * Under a Fixed Computation Model", NeurIPS 2023.
 */
final class Rennala extends RestartingScheme {
  private final int gradients;

  Rennala(SchemeOptions options) {
    super(options);
    gradients = options.get(Async.GRADIENTS);
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      do {
        master.broadcast(restartAge(1)); // w to each worker that is idle, or outdated
        master.receive(); // the next gᵢ at w; an older one is dropped
      } while (master.results() < gradients);
      master.update(); // w ← w − η Σ gᵢ / Σ bᵢ
      master.record();
    }
  }
}
