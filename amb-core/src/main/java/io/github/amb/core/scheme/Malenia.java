package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.Master;

/**
 * Malenia SGD: Rennala for workers with different data. A step takes gradients at its parameters
 * until there are some of every worker, and every worker's mean counts the same.
 *
 * <p>{@code w ← w − η 1/n Σ gᵢ / bᵢ}, once worker i has sent kᵢ ≥ 1 gradients, and the harmonic
 * mean of the kᵢ is K/n or more.
 *
 * <p>Tyurin and Richtárik: "Optimal Time Complexities of Parallel Stochastic Optimization Methods
 * Under a Fixed Computation Model", NeurIPS 2023.
 */
final class Malenia extends RestartingScheme {
  private final int gradients;

  Malenia(SchemeOptions options) {
    super(options);
    gradients = options.get(Async.GRADIENTS);
  }

  @Override
  public void master(Master master) {
    int n = master.workers();
    while (master.nextStep()) {
      int[] counts = new int[n];
      do {
        master.broadcast(restartAge(1)); // w to each worker that is idle, or outdated
        counts[master.receive().source() - 1]++; // the next gᵢ at w; an older one is dropped
      } while (!isEnough(counts));
      weigh(master.gathered()); // gᵢ ← gᵢ Σ b / (n bᵢ)
      master.update(); // w ← w − η Σ gᵢ / Σ b
      master.record();
    }
  }

  private boolean isEnough(int[] counts) {
    double n = counts.length;
    double sum = 0;
    for (int count : counts) {
      sum += 1.0 / count; // Infinite without a gradient.
    }
    return sum <= n * n / gradients && sum < Double.POSITIVE_INFINITY;
  }

  /** Gives each worker's mean the same weight in the mean over all examples. */
  private static void weigh(Gathering results) {
    for (int k = 0; k < results.contributors(); k++) {
      Result sum = results.result(k);
      double equal = (double) results.examples() / Math.max(1, results.withExamples());
      sum.message()
          .multiply(0, sum.message().length(), (float) (equal / Math.max(1, sum.examples())));
    }
  }
}
