package io.github.amb.core.scheme;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.OuterUpdate;
import io.github.amb.core.update.Momentum;
import io.github.amb.core.update.RuleForm;

/**
 * DiLoCo: H inner steps at each worker, then an outer step of Nesterov's momentum along their mean
 * change. The choice where messages are very slow, and H is in the hundreds.
 *
 * <p>{@code θ ← OuterOpt(θ, Δ), Δ = 1/k Σᵢ (θ − θᵢ)}, where θᵢ is what H steps of worker i make of
 * θ, and the inner optimizer is the run's update rule.
 *
 * <p>Douillard et al.: "DiLoCo: Distributed Low-Communication Training of Language Models", 2023.
 */
public class DiLoCo extends LocalSgd {
  /** The learning rate for what workers changed; null if none is given. */
  public static final Setting<Double> OUTER_LEARNING_RATE =
      Setting.positive("outer-learning-rate", null)
          .help(
              "learning rate for what workers changed; default 0.7 with diloco and noloco, else 1");

  /** Nesterov's momentum for what workers changed. */
  public static final Setting<Double> OUTER_MOMENTUM =
      Setting.share("outer-momentum", 0.5)
          .help("Nesterov's momentum for what workers changed; plain momentum with noloco");

  private static final double USUAL_RATE = 0.7;

  final double learningRate;
  final double momentum;

  DiLoCo(SchemeOptions options) {
    super(options);
    Double given = options.get(OUTER_LEARNING_RATE);
    learningRate = given == null ? USUAL_RATE : given;
    momentum = options.get(OUTER_MOMENTUM);
  }

  @Override
  public void master(Master master) {
    OuterUpdate outerOpt = outerOpt(master);
    while (master.nextStep()) { // outer step t
      master.broadcast(); // θ(t−1) to all
      master.gather(master.workers()); // θ(t−1) − θᵢ(t) of each
      outerOpt.update(); // θ(t) ← OuterOpt(θ(t−1), 1/k Σ (θ(t−1) − θᵢ(t)))
      master.record();
    }
  }

  /** Nesterov's momentum at the outer learning rate. */
  OuterUpdate outerOpt(Master master) {
    int size = master.context().parameters().length;
    Momentum nesterov = new Momentum(size, momentum, RuleForm.TENSORFLOW, true);
    return new OuterUpdate(master, nesterov, learningRate);
  }

  @Override
  public boolean hasMomentum() {
    return momentum > 0;
  }
}
