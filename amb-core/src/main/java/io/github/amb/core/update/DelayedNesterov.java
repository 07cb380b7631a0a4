package io.github.amb.core.update;

/**
 * Delayed Nesterov: each change is applied as it comes, and momentum with every N-th alone, by the
 * mean of the last N: {@code s ← s + g}; then {@code a ← μ a + s/N; w ← w − η (g/N + μ a); s ← 0}
 * with every N-th, {@code w ← w − η g/N} with the others. With N = 1 it is Nesterov's momentum, bit
 * for bit.
 *
 * <p>Liu et al.: "Asynchronous Local-SGD Training for Language Modeling", 2024, with c = 0.
 */
public final class DelayedNesterov extends AbstractUpdateRule {
  private final float momentum;
  private final int interval;
  private final float[] accumulated = state().get(0);
  private final float[] sum = state().get(1);

  /**
   * Delayed Nesterov for a flat vector.
   *
   * @param parameters length of the flat vector
   * @param momentum μ, from 0 to less than 1
   * @param interval N, at least 1
   */
  public DelayedNesterov(int parameters, double momentum, int interval) {
    super(new float[parameters], new float[parameters]);
    this.momentum = (float) momentum;
    this.interval = interval;
  }

  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    float rate = (float) learningRate;
    boolean last = steps() % interval == 0;
    for (int i = from; i < to; i++) {
      float part = gradient[i] / interval;
      sum[i] += gradient[i];
      if (last) {
        accumulated[i] = momentum * accumulated[i] + sum[i] / interval;
        sum[i] = 0;
        part += momentum * accumulated[i];
      }
      parameters[i] -= rate * part;
    }
  }
}
