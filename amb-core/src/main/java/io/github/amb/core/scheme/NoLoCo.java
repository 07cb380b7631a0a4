package io.github.amb.core.scheme;

import io.github.amb.core.engine.Uplink;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Observer;
import io.github.amb.core.scheme.context.PairNode;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.core.update.Momentum;
import io.github.amb.core.update.RuleForm;

/**
 * NoLoCo: DiLoCo without a master. After H local steps each worker meets another one, drawn in each
 * round, and takes an outer step of its own. The choice where no link can carry the changes of all
 * workers.
 *
 * <p>{@code mᵢ ← μ mᵢ + η (mean(Δ) + mean(θ) − θᵢ), θᵢ ← θᵢ + mᵢ}, where means are of the two of a
 * pair, and Δᵢ is how H local steps change θᵢ. As both terms have the factor η, {@code mean(Δ) +
 * mean(θ) = mean(θ + Δ)}, so that a worker sends {@code θᵢ + Δᵢ} alone. Of an odd number of workers
 * one meets itself. Running statistics are averaged.
 *
 * <p>Rank 0 observes, as in {@link FmbGraph}. If a worker dies, the others meet among themselves.
 *
 * <p>Kolehmainen et al.: "NoLoCo: No-all-reduce Low Communication Training Method for Large
 * Models", 2025.
 */
final class NoLoCo extends DiLoCo {
  NoLoCo(SchemeOptions options) {
    super(options);
  }

  @Override
  public Uplink uplink() {
    return Uplink.PAIRS;
  }

  @Override
  public void master(Master master) {
    Observer observer = new Observer(master);
    while (master.nextStep()) {
      observer.begin(); // round t at all workers
      observer.update(); // θ ← 1/n Σ θᵢ(t), which no worker sees
      master.record();
    }
  }

  @Override
  public void worker(Worker worker) {
    int size = worker.context().source().layout().size();
    Momentum outer = new Momentum(size, momentum, RuleForm.KERAS, false);
    PairNode node = worker.pairNode(outer, learningRate);
    while (worker.receive()) { // round t begins
      node.train(localSteps(worker)); // θᵢ(t−1) + Δᵢ
      node.meet(); // θⱼ(t−1) + Δⱼ of the other one
      node.update(); // mᵢ(t), θᵢ(t)
      node.send(); // θᵢ(t) − θᵢ(t−1), for the observer
    }
  }

  /** While it does local steps, the message of the other one comes. */
  @Override
  public boolean hearsWhileComputing() {
    return true;
  }
}
