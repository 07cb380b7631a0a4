package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import java.util.List;

/**
 * Clips the mean gradient of all trainable parameters, before weight decay: by its Euclidean norm,
 * as PyTorch's {@code clip_grad_norm_}, or by entry, as {@code clip_grad_value_}.
 *
 * @param norm maximum norm, positive; infinity for no limit
 * @param value maximum magnitude of an entry, positive; infinity for no limit
 * @param measures whether the norm is computed without a limit, too
 */
public record Clipping(double norm, double value, boolean measures) {
  /** PyTorch adds it to the norm that it divides by. */
  private static final double ADDED = 1e-6;

  /** No clipping. */
  public static final Clipping NONE =
      new Clipping(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** As the canonical one; the norm is computed if it has a limit. */
  public Clipping(double norm, double value) {
    this(norm, value, false);
  }

  /**
   * @throws IllegalArgumentException if a number is not positive
   */
  public Clipping {
    if (!(norm > 0 && value > 0)) {
      throw new IllegalArgumentException(
          "clipping: expected a positive norm and value, found %s and %s".formatted(norm, value));
    }
  }

  /** The same measurement without a limit. */
  public Clipping unlimited() {
    return new Clipping(NONE.norm, NONE.value, measures);
  }

  /**
   * The norm of the gradient; NaN if nobody asks for it. The sum of squares is computed in double
   * precision in the order of the vector, so it does not depend on threads.
   *
   * @param mean the flat mean gradient; not modified
   * @param blocks its trainable blocks
   */
  double measure(float[] mean, List<Block> blocks) {
    if (norm == Double.POSITIVE_INFINITY && !measures) {
      return Double.NaN;
    }
    double squares = 0;
    for (Block block : blocks) {
      if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
        for (int i = block.offset(); i < block.end(); i++) {
          squares += (double) mean[i] * mean[i];
        }
      }
    }
    return Math.sqrt(squares);
  }

  /** The factor that clips a gradient whose norm was found, at most 1. */
  float factor(double found) {
    return norm == Double.POSITIVE_INFINITY ? 1 : (float) Math.min(1, norm / (found + ADDED));
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
