package io.github.amb.core.scheme;

import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * How many batches each worker has finished, and who may start another: a worker that is no more
 * than s batches ahead of the slowest one.
 *
 * <p>Ho et al.: "More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server",
 * NIPS 2013.
 */
public final class BatchClocks implements Checkpointed {
  /** No worker ever waits for another. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  private final long[] finished;
  private final long staleness;
  private long slowest;
  private int atSlowest;

  /**
   * @param staleness the most batches that a worker may be ahead of the slowest, s; {@link
   *     #UNBOUNDED} for no limit
   */
  public BatchClocks(int workers, long staleness) {
    finished = new long[workers + 1];
    this.staleness = staleness;
    atSlowest = workers;
  }

  @Override
  public void visit(StateVisitor state) {
    state.integers("finished", finished);
    slowest = state.integer("slowest", slowest);
    atSlowest = (int) state.integer("at-slowest", atSlowest);
  }

  /** Counts a batch of {@code rank} as finished. */
  public void advance(int rank) {
    boolean slowestAdvanced = finished[rank] == slowest && atSlowest == 1;
    if (finished[rank] == slowest) {
      atSlowest--;
    }
    finished[rank]++;
    if (slowestAdvanced) {
      recount();
    }
  }

  private void recount() {
    slowest++;
    atSlowest = 0;
    for (int rank = 1; rank < finished.length; rank++) {
      atSlowest += finished[rank] == slowest ? 1 : 0;
    }
  }

  /** Whether {@code rank} may start another batch. */
  public boolean mayStart(int rank) {
    return finished[rank] - slowest <= staleness;
  }
}
