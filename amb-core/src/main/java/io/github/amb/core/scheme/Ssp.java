package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.JsonForm;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import java.util.function.IntPredicate;

/**
 * Stale Synchronous Parallel (SSP): asynchronous, but a worker starts its next batch only when it
 * has finished at most s batches more than the slowest worker.
 *
 * <p>With s = 0 all workers compute each batch at the same parameters, as in {@code sync}, and each
 * gradient is still an update of its own; without a limit it is {@code async}.
 *
 * <p>Ho et al.: "More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server",
 * NIPS 2013.
 */
final class Ssp extends Async {
  static final Setting<Long> STALENESS =
      Setting.<Long>of(
              "staleness",
              null,
              JsonForm.NUMBER_OR_TEXT,
              text -> text.equals("inf") ? BatchClocks.UNBOUNDED : Decimal.whole(text))
          .in("integer, 0 (as sync) or more, or inf (as async)", value -> value >= 0)
          .help("batches that a worker may be ahead of the slowest, s")
          .mustBeGiven();

  private final long staleness;

  Ssp(SchemeOptions options) {
    super(options);
    staleness = options.get(STALENESS);
  }

  @Override
  public void master(Master master) {
    BatchClocks clocks = new BatchClocks(master.workers(), staleness);
    master.context().state().registerOfRounds("clocks", clocks);
    IntPredicate mayStart = clocks::mayStart;
    while (master.nextStep()) {
      master.broadcast(mayStart); // w to those at most s batches ahead of the slowest
      Result gradient = master.gatherAny(1).result(0); // the next gᵢ, however old
      master.update(); // w ← w − η gᵢ / bᵢ
      clocks.advance(gradient.source()); // one more batch of worker i
      master.record();
    }
  }
}
