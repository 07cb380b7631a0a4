package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Sgd;

/**
 * Anytime SGD: local steps for a time T, an induced delay included, then the mean of all parameters
 * weighted by the examples processed. The choice of {@code local-sgd} where workers differ in
 * speed.
 *
 * <p>{@code w ← w − Σᵢ qᵢ Δᵢ / Σᵢ qᵢ, Δᵢ = w − wᵢ}, where worker i has processed qᵢ examples in the
 * time T. That is the paper's {@code Σᵢ qᵢ wᵢ / Σᵢ qᵢ}.
 *
 * <p>Ferdinand and Draper: "Anytime Stochastic Gradient Descent: A Time to Hear from all the
 * Workers", Allerton 2018.
 */
final class AnytimeSgd extends BatchScheme {
  private final long timeLimit;
  private final int after;

  AnytimeSgd(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()), Uplink.CHANGES);
    timeLimit = Clock.nanos(options.get(AnytimeOptions.TIME_LIMIT));
    after = options.get(LocalSgd.LOCAL_STEPS_AFTER);
  }

  @Override
  public void master(Master master) {
    OuterUpdate mean = new OuterUpdate(master, new Sgd(), 1);
    while (master.nextStep()) {
      master.broadcast(); // w to all
      Gathering changes = master.gather(master.workers()); // Δᵢ, qᵢ of each
      weight(changes); // Δᵢ ← qᵢ Δᵢ
      mean.update(changes.examples()); // w ← w − Σ qᵢ Δᵢ / Σ qᵢ
      master.record();
    }
  }

  private static void weight(Gathering changes) {
    for (int k = 0; k < changes.contributors(); k++) {
      Result change = changes.result(k);
      change.message().multiply(0, change.message().length(), (float) change.examples());
    }
  }

  @Override
  public void worker(Worker worker) {
    Clock clock = worker.context().clock();
    LocalModel local = worker.localModel();
    while (worker.receive()) { // w
      local.begin(); // wᵢ ← w
      long start = clock.now();
      do {
        local.step(local.steps() == 0, LocalModel.TO_THE_END); // wᵢ ← wᵢ − η gᵢ(wᵢ); one delay
      } while (worker.step() > after && clock.now() - start < timeLimit); // until T is over
      local.send(); // Δᵢ = w − wᵢ, qᵢ
    }
  }
}
