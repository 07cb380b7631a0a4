package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.scheme.context.LocalModel;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Sgd;
import java.util.BitSet;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * Federated averaging: each round draws some workers, which train for E passes over their examples;
 * then the mean of their parameters, weighted by their examples. With μ &gt; 0 it is FedProx, whose
 * workers minimize {@code fᵢ(wᵢ) + μ/2 ‖wᵢ − w‖²}. With all workers, equal numbers of examples and
 * μ = 0 it is {@code local-sgd}, bit for bit.
 *
 * <p>{@code w ← w − Σ mᵢ Δᵢ / Σ mᵢ, Δᵢ = w − wᵢ}, mᵢ examples in wᵢ's local steps.
 *
 * <p>What a worker has computed is lost when it dies: its round begins again without it.
 *
 * <p>McMahan et al.: "Communication-Efficient Learning of Deep Networks from Decentralized Data",
 * AISTATS 2017; Li et al.: "Federated Optimization in Heterogeneous Networks", MLSys 2020.
 */
class FedAvg extends BatchScheme {
  static final Setting<Double> LOCAL_EPOCHS =
      Setting.positive("local-epochs", 1.0)
          .help("passes of a worker over its examples per round, E, rounded to batches");
  static final Setting<Double> FRACTION =
      Setting.real("client-fraction", 1.0)
          .in("above 0, up to 1", value -> value > 0 && value <= 1)
          .help("share of the workers that each round draws, at least one");
  static final Setting<String> WEIGHTS =
      Setting.choice("client-weights", "examples", "uniform")
          .help("what workers send counts per example, or the same");
  static final Setting<Double> PROXIMAL =
      Setting.notNegative("proximal-mu", 0.01)
          .help("pulls local parameters to those received, mu of mu/2 |w_i - w|^2");

  private final int batchSize;
  private final double epochs;
  private final double fraction;
  private final boolean perExample;
  private final double proximal;

  /** Updates of one local step each at first. */
  final int after;

  /** What changes are multiplied by. */
  final double learningRate;

  FedAvg(SchemeOptions options) {
    this(options, 0, Uplink.CHANGES);
  }

  FedAvg(SchemeOptions options, double proximal, Uplink uplink) {
    super(BatchPolicy.fixed(options.batchSize()), uplink);
    batchSize = options.batchSize();
    epochs = options.get(LOCAL_EPOCHS);
    fraction = options.get(FRACTION);
    perExample = options.get(WEIGHTS).equals("examples");
    this.proximal = proximal;
    after = options.get(LocalSgd.LOCAL_STEPS_AFTER);
    Double given = options.get(DiLoCo.OUTER_LEARNING_RATE);
    learningRate = given == null ? 1 : given;
  }

  static FedAvg proximal(SchemeOptions options) {
    return new FedAvg(options, options.get(PROXIMAL), Uplink.CHANGES);
  }

  @Override
  public void master(Master master) {
    OuterUpdate outer = new OuterUpdate(master, new Sgd(), learningRate);
    while (master.nextStep()) {
      BitSet chosen = chosen(master);
      master.broadcast(chosen::get); // w to those that are drawn
      Gathering changes = master.gather(chosen.cardinality()); // Δᵢ, mᵢ of each
      weigh(changes, master.context().update().layout()); // Δᵢ ← Δᵢ mᵢ / mean(m)
      outer.update(); // w ← w − η mean(Δ)
      master.record();
    }
  }

  /** The ranks of this round's workers, which depend on the run's seed and the step alone. */
  final BitSet chosen(Master master) {
    int workers = master.workers();
    int count = (int) Math.max(1, Math.round(fraction * workers));
    var random = master.context().streams().stream("clients", 0, master.step());
    BitSet chosen = new BitSet();
    for (int worker : new PermutationSampler(random, workers, count).sample()) {
      chosen.set(worker + 1);
    }
    return chosen;
  }

  /** Weights changes by their examples, so that the mean weight is 1; running statistics, too. */
  final void weigh(Gathering changes, Layout layout) {
    for (int k = 0; perExample && k < changes.contributors(); k++) {
      Result change = changes.result(k);
      double share = (double) change.examples() / changes.examples();
      change.message().multiply(0, layout.size(), (float) (share * changes.withExamples()));
    }
  }

  /** Number of local steps per round. */
  final int localSteps(Worker worker) {
    double batches = epochs * worker.context().order().size() / batchSize;
    return worker.step() > after ? (int) Math.max(1, Math.round(batches)) : 1;
  }

  @Override
  public void worker(Worker worker) {
    LocalModel local = worker.localModel();
    local.pull(proximal);
    LocalSgd.train(worker, local, order -> {}, () -> localSteps(worker));
  }
}
