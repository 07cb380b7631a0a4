package io.github.amb.core.schedule;

/**
 * Falls with the square root of the step t, counted from 1: {@code η / (K + √(t / μ))}. With dual
 * averaging and η = 1 it is 1 / β(t) of Anytime Mini-Batch (Ferdinand et al., ICLR 2019), where K
 * is the Lipschitz constant of the gradient and μ the number of examples per step.
 *
 * @param learningRate η
 * @param offset K, not negative
 * @param examples μ, positive
 */
public record InverseRootSchedule(double learningRate, double offset, double examples)
    implements Schedule {
  /**
   * @throws IllegalArgumentException if {@code offset} is negative or {@code examples} not positive
   */
  public InverseRootSchedule {
    if (!(offset >= 0 && examples > 0)) {
      throw new IllegalArgumentException(
          "inverse-sqrt schedule: expected K of at least 0 and a positive mu, found %s and %s"
              .formatted(offset, examples));
    }
  }

  @Override
  public double learningRate(long step, double epochs) {
    return learningRate / (offset + Math.sqrt((step + 1) / examples));
  }
}
