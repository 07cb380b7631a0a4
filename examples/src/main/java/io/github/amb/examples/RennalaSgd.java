package io.github.amb.examples;

import io.github.amb.core.option.Setting;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import java.util.List;

/** A scheme: every update takes the next S gradients at the newest parameters. */
public final class RennalaSgd implements Plugin<Schemes.Entry> {
  static final Setting<Integer> GRADIENTS =
      Setting.integer("rennala-gradients", 8, 1).help("gradients per update, S");

  @Override
  public List<Schemes.Entry> entries() {
    Description description =
        Description.of("my-rennala", "the next S gradients at the newest parameters")
            .use("Workers of very different speed, all with the same data.")
            .formula("w <- rule(w, mean over S batches at w, from whichever workers)")
            .source("Tyurin and Richtarik, Optimal Time Complexities, NeurIPS 2023");
    return List.of(new Schemes.Entry(description, Loops::new, GRADIENTS));
  }

  private record Loops(BatchPolicy batchPolicy, int gradients) implements Scheme {
    Loops(SchemeOptions options) {
      this(BatchPolicy.fixed(options.batchSize()), options.get(GRADIENTS));
    }

    @Override
    public void master(Master master) {
      while (master.nextStep()) { // k
        do {
          master.broadcast(); // x(k) to each worker that is not computing
          master.receive(); // the next g at x(k); an older one is dropped
        } while (master.results() < gradients);
        master.update(); // x(k+1) <- x(k) - gamma / S sum of the g
        master.record();
      }
    }

    @Override
    public void worker(Worker worker) {
      worker.numberBatches(); // Several may be of one step.
      while (worker.receive()) { // x(k)
        worker.computeBatch(); // g <- sum of the gradients of B examples at x(k)
        worker.send(); // g
      }
    }
  }
}
