package io.github.amb.runtime.train.rank;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.scheme.context.TooFewWorkersException;

/**
 * A membership of the virtual cluster that ends the run if fewer than {@code --min-workers} workers
 * are left.
 */
final class MinimumMembership extends ForwardingMembership {
  private int minWorkers;

  MinimumMembership(Membership membership, int minWorkers) {
    super(membership);
    this.minWorkers = minWorkers;
  }

  @Override
  public void trainingOver() {
    minWorkers = 0;
    super.trainingOver();
  }

  @Override
  protected Generation joined(Generation generation, EngineException before) {
    int workers = generation.members().length - 1;
    if (before != null && workers < minWorkers) {
      throw new TooFewWorkersException(
          workers,
          "workers left: %d, fewer than --min-workers %d: %s"
              .formatted(workers, minWorkers, before.getMessage()),
          before);
    }
    return generation;
  }
}
