package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.List;

/**
 * The master's whole update: sums the workers' gradients in the order given, divides by the number
 * of examples, adds weight decay and applies the update rule; running statistics take the mean
 * update as it is.
 *
 * <p>All of it is done for one chunk of the vector after the other, so that intermediate results
 * stay in the processor's cache. The result does not depend, bit for bit, on the size of the
 * chunks.
 */
public final class MasterUpdate {
  private static final int CHUNK = 4096;

  private final Layout layout;
  private final Block[] blocks;
  private final int[] ends;
  private final UpdateRule rule;
  private final WeightDecay decay;
  private final int chunk;

  /**
   * An update of vectors with the given layout.
   *
   * @param decay applied to blocks of kind {@link Block.Kind#WEIGHT} only
   */
  public MasterUpdate(Layout layout, UpdateRule rule, WeightDecay decay) {
    this(layout, rule, decay, CHUNK);
  }

  MasterUpdate(Layout layout, UpdateRule rule, WeightDecay decay, int chunk) {
    this.layout = layout;
    List<Block> list = layout.blocks();
    blocks = list.toArray(new Block[0]);
    ends = list.stream().mapToInt(Block::end).toArray();
    this.rule = rule;
    this.decay = decay;
    this.chunk = chunk;
  }

  /** The layout of the vectors. */
  public Layout layout() {
    return layout;
  }

  /** The rule that is applied, whose state a checkpoint saves. */
  public UpdateRule rule() {
    return rule;
  }

  /**
   * Applies one update. When it throws because of a gradient, some parameters have been updated and
   * the run must go on from other ones.
   *
   * @param parameters the flat vector; modified
   * @param gradientSums the first {@code count} are gradient sums, in rank order; the first of them
   *     is overwritten, the others are not modified
   * @param ranks {@code ranks[i]} is the worker that {@code gradientSums[i]} came from; not
   *     modified
   * @param count number of gradient sums, at least 1
   * @param examples number of examples in all of them, at least 1
   * @param learningRate this step's learning rate
   * @throws IllegalArgumentException if {@code count} or {@code examples} is less than 1
   * @throws NonFiniteGradientException if a sum has an entry that is infinite or not a number
   */
  public void apply(
      float[] parameters,
      float[][] gradientSums,
      int[] ranks,
      int count,
      long examples,
      double learningRate) {
    if (count < 1 || examples < 1) {
      throw new IllegalArgumentException(
          "expected at least 1 gradient and 1 example, found %d and %d".formatted(count, examples));
    }
    rule.beginStep();
    float scale = (float) (1.0 / examples);
    int from = 0;
    for (int b = 0; b < blocks.length; b++) {
      while (from < ends[b]) {
        int to = Math.min(ends[b], from + chunk);
        sum(gradientSums, count, from, to);
        if (!isFinite(gradientSums[0], from, to)) {
          refuse(blocks[b], gradientSums, ranks, count, from, to);
        }
        multiply(gradientSums[0], scale, from, to);
        step(blocks[b].kind(), parameters, gradientSums[0], from, to, learningRate);
        from = to;
      }
    }
  }

  private void step(
      Block.Kind kind, float[] parameters, float[] mean, int from, int to, double learningRate) {
    if (kind == Block.Kind.RUNNING_STATISTIC) {
      subtract(parameters, mean, from, to);
      return;
    }
    if (kind == Block.Kind.WEIGHT && decay.coefficient() > 0) {
      decay.add(parameters, mean, from, to);
    }
    rule.apply(parameters, mean, from, to, learningRate);
  }

  private static void sum(float[][] gradientSums, int count, int from, int to) {
    for (int k = 1; k < count; k++) {
      add(gradientSums[0], gradientSums[k], from, to);
    }
  }

  private static void add(float[] total, float[] gradient, int from, int to) {
    for (int i = from; i < to; i++) {
      total[i] += gradient[i];
    }
  }

  private static void multiply(float[] values, float factor, int from, int to) {
    for (int i = from; i < to; i++) {
      values[i] *= factor;
    }
  }

  private static void subtract(float[] parameters, float[] update, int from, int to) {
    for (int i = from; i < to; i++) {
      parameters[i] -= update[i];
    }
  }

  /** Eight sums, as one would wait for each addition; false if finite entries overflow as well. */
  private static boolean isFinite(float[] values, int from, int to) {
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    int i = from;
    for (; i <= to - 8; i += 8) {
      s0 += values[i];
      s1 += values[i + 1];
      s2 += values[i + 2];
      s3 += values[i + 3];
      s4 += values[i + 4];
      s5 += values[i + 5];
      s6 += values[i + 6];
      s7 += values[i + 7];
    }
    for (; i < to; i++) {
      s0 += values[i];
    }
    return Float.isFinite(((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)));
  }

  /**
   * Throws for the first entry that is not finite, if there is one. The first gradient is already
   * overwritten by the sum, so it is at fault if no other one is.
   */
  private static void refuse(
      Block block, float[][] gradientSums, int[] ranks, int count, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Float.isFinite(gradientSums[0][i])) {
        int k = count - 1;
        while (k > 0 && Float.isFinite(gradientSums[k][i])) {
          k--;
        }
        throw new NonFiniteGradientException(
            ranks[k], block.name(), i - block.offset(), gradientSums[k][i]);
      }
    }
  }
}
