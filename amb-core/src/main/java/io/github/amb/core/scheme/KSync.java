package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import java.util.List;

/**
 * K-sync SGD: every step takes the first k of n workers' gradients at its parameters; the n − k
 * others are backup workers. A gradient that arrives after the end of its step is dropped, and its
 * worker continues with the newest parameters.
 *
 * <p>Chen, Pan, Monga, Bengio, Jozefowicz: "Revisiting Distributed Synchronous SGD", 2016; Dutta,
 * Joshi, Ghosh, Dube, Nagpurkar: "Slow and Stale Gradients Can Win the Race", AISTATS 2018.
 */
final class KSync extends BatchScheme {
  static final Setting<Integer> NUM_AGGREGATE =
      Setting.integer("num-aggregate", null, 1)
          .help("gradients per update, k, at most the number of workers")
          .mustBeGiven();

  private final int aggregate;

  KSync(SchemeOptions options) {
    super(BatchPolicy.fixed(options.batchSize()));
    aggregate = options.get(NUM_AGGREGATE);
  }

  static List<String> problems(SchemeOptions options) {
    return options.get(NUM_AGGREGATE) <= options.workers()
        ? List.of()
        : List.of(
            "--num-aggregate: expected 1 to %d (the number of workers), found %d"
                .formatted(options.workers(), options.get(NUM_AGGREGATE)));
  }

  @Override
  public void master(Master master) {
    while (master.nextStep()) {
      master.broadcast(); // w to each worker that is not computing
      master.gather(aggregate); // the first k gᵢ at w
      master.update(); // w ← w − η Σ gᵢ / Σ bᵢ
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    while (worker.receive()) { // w
      worker.computeBatch(); // gᵢ ← Σ ∇f(w, x) over bᵢ = B examples x
      worker.send(); // gᵢ, bᵢ; dropped if k others were faster
    }
  }

  @Override
  public int minWorkers(int workers) {
    return aggregate;
  }
}
