package io.github.amb.core.update;

/**
 * Dual averaging with the proximal function ½‖w‖²: {@code z ← z + g; w ← −β(t) z}, with {@code z =
 * 0} at first and β(t) the learning rate, which a schedule should let fall. The parameters before
 * the first step matter only through its gradient.
 *
 * <p>Y. Nesterov, "Primal-dual subgradient methods for convex problems", Mathematical Programming
 * 120 (2009); the rule that Anytime Mini-Batch is analysed with (Ferdinand et al., ICLR 2019).
 */
public final class DualAveraging extends AbstractUpdateRule {
  private final float[] sum;

  /**
   * Dual averaging for a flat vector.
   *
   * @param parameters length of the flat vector
   */
  public DualAveraging(int parameters) {
    super(new float[parameters]);
    sum = state().get(0);
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float beta = (float) learningRate;
    float[] z = sum;
    for (int i = from; i < to; i++) {
      float next = z[i] + gradient[i];
      z[i] = next;
      parameters[i] = -beta * next;
    }
  }
}
