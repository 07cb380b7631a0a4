package io.github.amb.core.update;

import io.github.amb.core.state.StateVisitor;

/**
 * Dual averaging with the proximal function h(w) = ½‖w − w₀‖²: {@code z ← z + g; w ← w₀ − η(t) z},
 * with {@code z = 0} at first and w₀ the parameters before the first step. η(t) is the learning
 * rate, 1 / β(t) in the papers. It must not rise, and should fall as 1/√t.
 *
 * <p>The new parameters do not depend on the previous ones. So this rule cannot be used where other
 * parts change the parameters, too, as workers with local updates do.
 *
 * <p>Y. Nesterov, "Primal-dual subgradient methods for convex problems", Mathematical Programming
 * 120 (2009). Ferdinand et al., ICLR 2019, analyze Anytime Mini-Batch with this rule.
 */
public final class DualAveraging extends AbstractUpdateRule {
  private final float[] sum = state().get(0);
  private final float[] center = state().get(1);

  /**
   * Dual averaging for a flat vector.
   *
   * @param parameters length of the flat vector
   */
  public DualAveraging(int parameters) {
    super(new float[parameters], new float[parameters]);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    if (steps() == 1) {
      System.arraycopy(parameters, from, center, from, to - from);
    }
    float eta = (float) learningRate;
    float[] z = sum;
    float[] w0 = center;
    for (int i = from; i < to; i++) {
      float next = z[i] + gradient[i];
      z[i] = next;
      parameters[i] = w0[i] - eta * next;
    }
  }

  @Override
  public boolean incremental() {
    return false;
  }

  /** A checkpoint without a center is from a version whose center was 0; the run keeps that. */
  @Override
  public void visit(StateVisitor visitor) {
    steps(visitor.integer("steps", steps()));
    visitor.floats("state-0", sum);
    if (visitor.has("state-1")) {
      visitor.floats("state-1", center);
    }
  }
}
