package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * One thread of a {@link MasterUpdate}. It takes ranges of the vector until none is left, first to
 * form mean gradients, then to apply them. Reused in every step.
 */
final class UpdateThread implements Runnable {
  private final UpdateRanges ranges;
  private final Block[] blocks;
  private final UpdateRule rule;
  private final float[][] states;
  private final WeightDecay decay;
  private final Clipping clipping;
  private final UpdateHook hook;
  private final int chunk;
  private final float[] mean;
  private final OrderedSum total;
  private final float[] sum;

  private float[] parameters;
  private FloatBuffer copy;
  private FloatBuffer[] gradientSums;
  private int[] ranks;
  private int count;
  private float scale;
  private double learningRate;
  private Throwable failure;
  private int failedRange;
  private boolean applies;
  private float factor;

  /**
   * @param ranges shared with the other threads
   * @param hook changes mean gradients; null for none
   * @param mean memory for the mean gradient, as long as the vector; shared by all threads
   * @param chunk maximum number of entries that are processed at a time
   */
  UpdateThread(
      UpdateRanges ranges,
      List<Block> blocks,
      UpdateRule rule,
      WeightDecay decay,
      Clipping clipping,
      UpdateHook hook,
      float[] mean,
      int chunk) {
    this.ranges = ranges;
    this.blocks = blocks.toArray(Block[]::new);
    this.rule = rule;
    states = rule.state().toArray(float[][]::new);
    this.decay = decay;
    this.clipping = clipping;
    this.hook = hook;
    this.chunk = chunk;
    this.mean = mean;
    total = new OrderedSum(Math.min(chunk, mean.length));
    sum = total.values();
  }

  /** Stores the arguments of {@link MasterUpdate#apply}; {@link #run} then forms mean gradients. */
  void prepare(
      float[] parameters,
      FloatBuffer copy,
      FloatBuffer[] gradientSums,
      int[] ranks,
      int count,
      long examples,
      double learningRate) {
    this.parameters = parameters;
    this.copy = copy;
    this.gradientSums = gradientSums;
    this.ranks = ranks;
    this.count = count;
    scale = (float) (1.0 / examples);
    this.learningRate = learningRate;
    failure = null;
    applies = false;
  }

  /**
   * Makes {@link #run} apply the mean gradients. All threads must have formed theirs.
   *
   * @param factor the result of {@link Clipping#factor}
   */
  void proceed(float factor) {
    applies = true;
    this.factor = factor;
  }

  /** What {@link #run} threw, an exception or an error, or null. */
  Throwable failure() {
    return failure;
  }

  /** The range in which {@link #run} failed. Some thread has taken each range before it. */
  int failedRange() {
    return failedRange;
  }

  @Override
  public void run() {
    int range = ranges.take();
    try {
      for (; range < ranges.count(); range = ranges.take()) {
        update(ranges.begin(range), ranges.begin(range + 1));
      }
    } catch (Throwable e) {
      failure = e;
      failedRange = range;
    }
  }

  private void update(int from, int to) {
    for (Block block : blocks) {
      int begin = Math.max(from, block.offset());
      int end = Math.min(to, block.end());
      for (int start = begin; start < end; start += chunk) {
        int stop = Math.min(end, start + chunk);
        if (applies) {
          apply(block, start, stop);
        } else {
          form(block, start, stop);
        }
      }
    }
  }

  private void form(Block block, int from, int to) {
    int length = to - from;
    total.form(gradientSums, count, from, length);
    if (!total.isFinite(length)) {
      reject(block, from, to);
    }
    multiply(sum, scale, length);
    System.arraycopy(sum, 0, mean, from, length);
  }

  private void apply(Block block, int from, int to) {
    step(block.kind(), from, to);
    expectFinite("parameters", parameters, block, from, to);
    for (float[] state : states) {
      expectFinite("state of the update rule", state, block, from, to);
    }
    if (copy != null) {
      copy.put(from, parameters, from, to - from);
    }
  }

  private void step(Block.Kind kind, int from, int to) {
    if (kind == Block.Kind.RUNNING_STATISTIC) {
      subtract(parameters, mean, from, to);
      return;
    }
    clipping.apply(mean, from, to, factor);
    if (hook != null) {
      System.arraycopy(mean, from, sum, 0, to - from);
      hook.change(sum, to - from);
      System.arraycopy(sum, 0, mean, from, to - from);
    }
    if (kind == Block.Kind.WEIGHT && decay.coefficient() > 0) {
      decay.apply(parameters, mean, from, to, learningRate);
    }
    rule.apply(parameters, mean, from, to, learningRate);
  }

  /**
   * Checks new values while they are in the processor's cache. Finite results do not imply finite
   * parameters.
   */
  private static void expectFinite(String what, float[] values, Block block, int from, int to) {
    int bad = Finite.firstBad(values, from, to);
    if (bad >= 0) {
      throw new NonFiniteParametersException(what, block, bad, values[bad]);
    }
  }

  private static void multiply(float[] values, float factor, int length) {
    for (int i = 0; i < length; i++) {
      values[i] *= factor;
    }
  }

  private static void subtract(float[] parameters, float[] update, int from, int to) {
    for (int i = from; i < to; i++) {
      parameters[i] -= update[i];
    }
  }

  /** Throws for the first entry that is not finite, if there is one. */
  private void reject(Block block, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Float.isFinite(sum[i - from])) {
        int k = OrderedSum.nonFinite(gradientSums, count, i);
        float own = gradientSums[k].get(i);
        float found = Float.isFinite(own) ? sum[i - from] : own;
        throw new NonFiniteGradientException(ranks[k], block.name(), i - block.offset(), found);
      }
    }
  }
}
