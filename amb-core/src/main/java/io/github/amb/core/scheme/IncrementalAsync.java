package io.github.amb.core.scheme;

import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;

/**
 * Incremental aggregated asynchronous SGD (IA²SGD): every gradient replaces the one before of its
 * worker, and every update is with the mean of the newest gradients of all workers. The choice
 * where workers have different data, and the master has memory for a gradient of each.
 *
 * <p>{@code w ← w − η 1/n Σ gᵢ / bᵢ}, where gᵢ is the newest gradient of worker i, however old; as
 * soon as there is one of each. When a worker fails, all gradients are collected again.
 *
 * <p>The asynchronous form of the incremental aggregated gradient, Blatt, Hero, Gauchman: "A
 * Convergent Incremental Gradient Method with a Constant Step Size", SIAM J. Optim. 18, 2007.
 */
final class IncrementalAsync extends Async {
  IncrementalAsync(SchemeOptions options) {
    super(options);
  }

  @Override
  public void master(Master master) {
    GradientTable table = new GradientTable(master.context().update().layout(), master.workers());
    master.context().state().registerOfRounds("table", table);
    while (master.nextStep()) {
      do {
        master.broadcast(); // w to the worker that has just sent its gradient; at first to all
        table.add(master.receiveAny(), true); // the next gᵢ, however old
      } while (!table.isFull());
      master.update(table.mean()); // w ← w − η 1/n Σ gᵢ / bᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    worker.numberBatches(); // Several may be of the first step.
    super.worker(worker);
  }
}
