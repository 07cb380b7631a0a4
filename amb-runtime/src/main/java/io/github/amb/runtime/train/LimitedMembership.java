package io.github.amb.runtime.train;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingMembership;
import io.github.amb.core.engine.Membership;

/** A run on the virtual cluster that ends when too few workers are left. */
final class LimitedMembership extends ForwardingMembership {
  private final int leastWorkers;

  LimitedMembership(Membership membership, int leastWorkers) {
    super(membership);
    this.leastWorkers = leastWorkers;
  }

  @Override
  protected Epoch joined(Epoch epoch, EngineException before) {
    int workers = epoch.members().length - 1;
    if (before != null && workers < leastWorkers) {
      throw new TooFewWorkersException(workers, leastWorkers, before);
    }
    return epoch;
  }
}
