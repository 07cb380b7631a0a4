package io.github.amb.core.scheme;

import io.github.amb.core.engine.Result;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A gradient sum per worker, and the mean of the workers' mean gradients, {@code 1/n Σ Gᵢ / bᵢ}.
 * The mean is kept up to date in double precision, so that a result costs as much as its vector is
 * long, whatever the number of workers. Updates of running statistics are not kept: the mean has
 * those of the newest result, or they would be applied again and again.
 */
final class GradientTable implements Checkpointed {
  private final Layout layout;
  private final float[][] sums;
  private final long[] examples;
  private final long[] results;
  private final double[] total;
  private final float[] mean;

  GradientTable(Layout layout, int workers) {
    this.layout = layout;
    sums = new float[workers][layout.size()];
    examples = new long[workers];
    results = new long[workers];
    total = new double[layout.size()];
    mean = new float[layout.size()];
  }

  @Override
  public void visit(StateVisitor state) {
    for (int i = 0; i < sums.length; i++) {
      state.floats("sum-" + i, sums[i]);
    }
    state.integers("examples", examples);
    state.integers("results", results);
    state.doubles("total", total);
  }

  /** Whether every worker has an entry. */
  boolean isFull() {
    return Arrays.stream(results).allMatch(count -> count > 0);
  }

  void clear() {
    for (float[] sum : sums) {
      Arrays.fill(sum, 0);
    }
    Arrays.fill(examples, 0);
    Arrays.fill(results, 0);
    Arrays.fill(total, 0);
  }

  /**
   * Adds a result to what its worker has, or puts it in its place.
   *
   * @param gradient not modified
   */
  void add(Result gradient, boolean replaces) {
    int worker = gradient.source() - 1;
    results[worker]++;
    if (gradient.examples() == 0) {
      return; // It has been dropped.
    }
    long before = examples[worker];
    examples[worker] = gradient.examples() + (replaces ? 0 : before);
    double then = before == 0 ? 0 : 1.0 / before;
    double now = 1.0 / examples[worker];
    float[] sum = sums[worker];
    float[] values = gradient.message().values();
    for (Block block : layout.blocks()) {
      boolean kept = block.kind() != Block.Kind.RUNNING_STATISTIC;
      for (int i = block.offset(); i < block.end(); i++) {
        float next = kept && !replaces ? sum[i] + values[i] : values[i];
        total[i] = kept ? total[i] + (next * now - sum[i] * then) : 0;
        mean[i] = values[i] / gradient.examples();
        sum[i] = next;
      }
    }
  }

  /** The mean over the workers with examples. Valid until the next call. */
  FloatBuffer mean() {
    double count = Math.max(1, Arrays.stream(examples).filter(each -> each > 0).count());
    for (Block block : layout.blocks()) {
      if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
        for (int i = block.offset(); i < block.end(); i++) {
          mean[i] = (float) (total[i] / count);
        }
      }
    }
    return FloatBuffer.wrap(mean);
  }
}
