package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import java.util.List;

/**
 * Clips the mean gradient of all trainable parameters, before weight decay: by its Euclidean norm,
 * as PyTorch's {@code clip_grad_norm_}, or by entry, as {@code clip_grad_value_}.
 *
 * @param norm maximum norm, positive; infinity for no limit
 * @param value maximum magnitude of an entry, positive; infinity for no limit
 */
public record Clipping(double norm, double value) {
  /** PyTorch adds it to the norm that it divides by. */
  private static final double ADDED = 1e-6;

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
   * The factor that clips the norm of the gradient, at most 1. The sum of squares is computed in
   * double precision in the order of the vector, so it does not depend on threads.
   *
   * @param mean the flat mean gradient; not modified
   * @param blocks its trainable blocks
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
    return (float) Math.min(1, norm / (Math.sqrt(squares) + ADDED));
  }

  /**
   * Multiplies entries {@code from} to {@code to − 1} by {@code factor}, then clips each of them.
   */
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
