package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.BitSet;
import java.util.List;

/**
 * Delay compensation: {@code g ← g + λ g ⊙ g ⊙ (w − w_bak(m))}, a first-order estimate of the mean
 * gradient at w from the mean gradient g at w_bak(m), the parameters that worker m pulled. Blocks
 * of running statistics are left alone.
 *
 * <p>Constant: λ is a number (DC-ASGD-c). Adaptive: {@code v ← m v + (1 − m) g ⊙ g; λ = λ₀ / √(v +
 * 10⁻⁷)} per parameter, v = 0 at first (DC-ASGD-a).
 *
 * <p>Zheng et al.: "Asynchronous Stochastic Gradient Descent with Delay Compensation", ICML 2017.
 */
public final class DelayCompensation implements Checkpointed {
  private static final float EPSILON = 1e-7f;

  private final List<Block> blocks;
  private final float[][] backups;
  private final float lambda;
  private final float decay;
  private final float[] meanSquare;

  /**
   * A constant one.
   *
   * @param lambda λ
   */
  public static DelayCompensation constant(Layout layout, int workers, double lambda) {
    return new DelayCompensation(layout, workers, lambda, 0, null);
  }

  /**
   * An adaptive one.
   *
   * @param lambda λ₀
   * @param decay m
   */
  public static DelayCompensation adaptive(
      Layout layout, int workers, double lambda, double decay) {
    return new DelayCompensation(layout, workers, lambda, decay, new float[layout.size()]);
  }

  private DelayCompensation(
      Layout layout, int workers, double lambda, double decay, float[] meanSquare) {
    blocks = layout.blocks();
    backups = new float[workers + 1][layout.size()];
    this.lambda = (float) lambda;
    this.decay = (float) decay;
    this.meanSquare = meanSquare;
  }

  /** What workers compute at; elsewhere than on the virtual cluster they pull again. */
  public void visitPulled(StateVisitor state) {
    for (int rank = 1; rank < backups.length; rank++) {
      state.floats("by-" + rank, backups[rank]);
    }
  }

  @Override
  public void visit(StateVisitor state) {
    if (meanSquare != null) {
      state.floats("mean-square", meanSquare);
    }
  }

  /**
   * Remembers what workers compute at, {@code w_bak(m)}.
   *
   * @param ranks the workers, m; not modified
   * @param parameters what they have been sent; not modified
   */
  public void sent(BitSet ranks, float[] parameters) {
    for (int rank = ranks.nextSetBit(0); rank > 0; rank = ranks.nextSetBit(rank + 1)) {
      System.arraycopy(parameters, 0, backups[rank], 0, parameters.length);
    }
  }

  /**
   * Corrects a gradient before it is applied. One without examples is left as it is.
   *
   * @param gradient a sum at the parameters last {@link #sent} to its source; its payload is
   *     modified
   * @param parameters what it will be applied to, w; not modified
   */
  public void correct(Result gradient, float[] parameters) {
    float[] backup = backups[gradient.source()];
    float[] sum = gradient.message().values();
    long examples = gradient.examples();
    if (examples == 0) {
      return;
    }
    for (Block block : blocks) {
      if (block.kind() == Block.Kind.RUNNING_STATISTIC) {
        continue;
      }
      if (meanSquare == null) {
        constant(sum, examples, parameters, backup, block);
      } else {
        adaptive(sum, examples, parameters, backup, block);
      }
    }
  }

  private void constant(float[] sum, long examples, float[] w, float[] backup, Block block) {
    float factor = lambda / examples;
    int end = block.end();
    for (int i = block.offset(); i < end; i++) {
      sum[i] += factor * sum[i] * sum[i] * (w[i] - backup[i]);
    }
  }

  private void adaptive(float[] sum, long examples, float[] w, float[] backup, Block block) {
    float[] v = meanSquare;
    int end = block.end();
    for (int i = block.offset(); i < end; i++) {
      float g = sum[i] / examples;
      v[i] = decay * v[i] + (1 - decay) * g * g;
      float lambdaNow = lambda / (float) Math.sqrt(v[i] + EPSILON);
      sum[i] += lambdaNow * g * sum[i] * (w[i] - backup[i]);
    }
  }
}
