package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;

/** Keeps running statistics, as of batch normalization, bounded where results are stale. */
final class StaleStatistics {
  private StaleStatistics() {}

  /**
   * Divides a result's updates of running statistics by 1 + τ, where τ is its staleness. Such an
   * update is {@code a (r(t − τ) − b)} with the statistic b of a batch. Subtracted from r(t) it
   * makes r diverge if {@code a ≥ 2 sin(π / (4 τ + 2))}, about π / 2 τ. {@code a / (1 + τ)} is less
   * for every a up to 1.
   *
   * @param result modified if it is stale
   * @param staleness τ
   * @param layout of the result
   */
  static void weaken(Message result, long staleness, Layout layout) {
    if (staleness > 0) {
      for (Block block : layout.blocks()) {
        if (block.kind() == Block.Kind.RUNNING_STATISTIC) {
          result.multiply(block.offset(), block.end(), 1f / (1 + staleness));
        }
      }
    }
  }
}
