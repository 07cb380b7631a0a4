package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.context.Master;
import java.util.BitSet;

/**
 * Asynchronous SGD with {@link DelayCompensation} of every gradient (DC-ASGD). The choice where
 * {@code async} does not reach the accuracy of {@code fmb}.
 *
 * <p>Zheng et al.: "Asynchronous Stochastic Gradient Descent with Delay Compensation", ICML 2017.
 */
final class DcAsgd extends Async {
  private static final String ADAPTIVE = "adaptive";
  private static final double CONSTANT_LAMBDA = 0.04;
  private static final double ADAPTIVE_LAMBDA = 2;

  static final Setting<String> MODE =
      Setting.choice("dcasgd-mode", "constant", ADAPTIVE)
          .help("whether λ is constant or adapts per parameter");
  static final Setting<Double> LAMBDA =
      Setting.notNegative("dcasgd-lambda", null)
          .help("strength of the correction; default 0.04 if constant, 2 if adaptive");
  static final Setting<Double> DECAY =
      Setting.share("dcasgd-decay", 0.95).help("adaptive: decay of the mean square, m");

  private final boolean adaptive;
  private final double lambda;
  private final double decay;

  DcAsgd(SchemeOptions options) {
    super(options);
    adaptive = options.get(MODE).equals(ADAPTIVE);
    Double given = options.get(LAMBDA);
    double usual = adaptive ? ADAPTIVE_LAMBDA : CONSTANT_LAMBDA;
    lambda = given == null ? usual : given;
    decay = options.get(DECAY);
  }

  @Override
  public void master(Master master) {
    float[] w = master.context().parameters();
    DelayCompensation compensation = compensation(master);
    while (master.nextStep()) {
      BitSet pulling = master.broadcast(); // w to worker m that has just pushed; at first to all
      compensation.sent(pulling, w); // w_bak(m) ← w
      Result gradient = master.gatherAny(1).result(0); // the next g, of worker m
      compensation.correct(gradient, w); // g ← g + λ g ⊙ g ⊙ (w − w_bak(m))
      master.update(); // w ← w − η g
      master.record();
    }
  }

  private DelayCompensation compensation(Master master) {
    Layout layout = master.context().update().layout();
    DelayCompensation compensation =
        adaptive
            ? DelayCompensation.adaptive(layout, master.workers(), lambda, decay)
            : DelayCompensation.constant(layout, master.workers(), lambda);
    master.context().state().register("delay-compensation", compensation);
    master.context().state().registerOfRounds("pulled", compensation::visitPulled);
    return compensation;
  }

  /** It corrects a gradient with what has changed since its worker was sent parameters. */
  @Override
  public boolean needsExactParameters() {
    return true;
  }
}
