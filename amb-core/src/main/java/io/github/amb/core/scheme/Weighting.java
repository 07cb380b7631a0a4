package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;

/** How much each worker's change counts in the outer gradient. */
enum Weighting {
  /** All the same: the mean of the changes, as averaging parameters does. */
  UNIFORM,

  /** By the examples that a worker processed. */
  EXAMPLES,

  /**
   * Changes per local step, times the mean number of local steps: {@code τ_eff Σ pᵢ Δᵢ/τᵢ, τ_eff =
   * Σ pᵢ τᵢ, pᵢ = 1/n}, so that workers that do more steps do not pull harder. Running statistics
   * are averaged.
   *
   * <p>Wang, Liu, Liang, Joshi, Poor: "Tackling the Objective Inconsistency Problem in
   * Heterogeneous Federated Optimization" (FedNova), NeurIPS 2020.
   */
  STEPS;

  /**
   * Scales every result so that their sum divided by the returned number is the outer gradient.
   *
   * @param gathering what has been gathered; its sums are modified
   */
  long scale(Gathering gathering, Layout layout) {
    if (this == UNIFORM) {
      return gathering.contributors();
    }
    double meanSteps = 0;
    for (int k = 0; k < gathering.contributors(); k++) {
      meanSteps += steps(gathering.result(k)) / gathering.contributors();
    }
    for (int k = 0; k < gathering.contributors(); k++) {
      Frame result = gathering.result(k);
      if (this == EXAMPLES) {
        multiply(result.values(), 0, layout.size(), (float) result.examples());
      } else {
        scaleSteps(result.values(), layout, (float) (meanSteps / steps(result)));
      }
    }
    return this == EXAMPLES ? gathering.examples() : gathering.contributors();
  }

  private static double steps(Frame result) {
    return result.stat(GradientStats.LOCAL_STEPS);
  }

  private static void scaleSteps(float[] values, Layout layout, float factor) {
    for (Block block : layout.blocks()) {
      if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
        multiply(values, block.offset(), block.end(), factor);
      }
    }
  }

  private static void multiply(float[] values, int from, int to, float factor) {
    for (int i = from; i < to; i++) {
      values[i] *= factor;
    }
  }
}
