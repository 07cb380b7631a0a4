package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import java.util.List;

/**
 * Clips the mean gradient of all trainable parameters, before weight decay: its Euclidean norm, as
 * PyTorch's {@code clip_grad_norm_} and Keras' {@code global_clipnorm}, or each entry, as {@code
 * clip_grad_value_} and {@code clipvalue}.
 *
 * @param norm the largest norm, positive; infinity for any
 * @param value the largest magnitude of an entry, positive; infinity for any
 */
public record Clipping(double norm, double value) {
  /** No clipping. */
  public static final Clipping NONE =
      new Clipping(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /**
   * @throws IllegalArgumentException if a number is not positive
   */
  public Clipping {
    if (!(norm > 0 && value > 0)) {
      throw new IllegalArgumentException(
          "clipping: expected a positive norm and value, found %s and %s".formatted(norm, value));
    }
  }

  /**
   * What the gradient is to be multiplied by. The sum of squares is of doubles in the order of the
   * vector, so that it does not depend on threads.
   */
  float factor(float[] mean, List<Block> blocks) {
    if (norm == Double.POSITIVE_INFINITY) {
      return 1;
    }
    double squares = 0;
    for (Block block : blocks) {
      if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
        for (int i = block.offset(); i < block.end(); i++) {
          squares += (double) mean[i] * mean[i];
        }
      }
    }
    double found = Math.sqrt(squares);
    return found > norm ? (float) (norm / found) : 1;
  }

  /** Clips entries {@code from} to {@code to − 1}, multiplied by {@code factor} first. */
  void apply(float[] mean, int from, int to, float factor) {
    if (factor != 1) {
      for (int i = from; i < to; i++) {
        mean[i] *= factor;
      }
    }
    if (value < Double.POSITIVE_INFINITY) {
      float most = (float) value;
      for (int i = from; i < to; i++) {
        mean[i] = Math.max(-most, Math.min(most, mean[i]));
      }
    }
  }
}
