package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.scheme.context.Gathering;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.nio.FloatBuffer;

/**
 * The gradient noise scale {@code tr Σ / |G|²}: the number of examples whose mean gradient has as
 * much noise as signal. Σ is the covariance of one example's gradient, and G its mean.
 *
 * <p>Worker i sends Sᵢ, the sum of bᵢ gradients; S is the sum of all B. As {@code E|Sᵢ|²/bᵢ = tr Σ
 * + bᵢ|G|²} and {@code E|S|²/B = tr Σ + B|G|²}, unbiased estimates are {@code V = (Σᵢ|Sᵢ|²/bᵢ −
 * |S|²/B) / (n − 1)} for tr Σ, and {@code (|S|²/B − V) / B} for |G|². The ratio of the second one
 * to the first is smoothed, which does not depend on the length of gradients.
 *
 * <p>McCandlish, Kaplan, Amodei: "An Empirical Model of Large-Batch Training", 2018, appendix A.
 */
final class NoiseScale implements Checkpointed {
  /** Weight of the newest step: few steps are remembered, as the scale grows during training. */
  private static final double NEWEST = 1.0 / 16;

  private final Layout layout;
  private double signal;
  private double weight;

  /**
   * @param layout of the gradients
   */
  NoiseScale(Layout layout) {
    this.layout = layout;
  }

  /**
   * Learns from a step in which two workers or more have examples; from another one nothing.
   *
   * @param results before the update; not modified
   */
  void observe(Gathering results) {
    FloatBuffer[] sums = new FloatBuffer[results.contributors()];
    double[] counts = new double[sums.length];
    double examples = 0;
    int workers = 0;
    for (int i = 0; i < sums.length; i++) {
      Result result = results.result(i);
      if (result.examples() > 0) {
        sums[workers] = result.message().payload();
        counts[workers] = result.examples();
        examples += counts[workers];
        workers++;
      }
    }
    double own = 0;
    double all = 0;
    for (Block block : layout.blocks()) {
      boolean trained = block.kind() != Block.Kind.RUNNING_STATISTIC;
      for (int i = block.offset(); i < (trained ? block.end() : 0); i++) {
        double sum = 0;
        for (int worker = 0; worker < workers; worker++) {
          double value = sums[worker].get(i);
          sum += value;
          own += value * value / counts[worker];
        }
        all += sum * sum;
      }
    }
    double variance = (own - all / examples) / (workers - 1);
    if (variance > 0 && Double.isFinite(variance)) {
      signal += NEWEST * ((all / examples - variance) / examples / variance - signal);
      weight += NEWEST * (1 - weight);
    }
  }

  /** Examples; infinite if no signal has been seen. */
  double examples() {
    return signal > 0 ? weight / signal : Double.POSITIVE_INFINITY;
  }

  @Override
  public void visit(StateVisitor state) {
    signal = state.real("signal", signal);
    weight = state.real("weight", weight);
  }
}
