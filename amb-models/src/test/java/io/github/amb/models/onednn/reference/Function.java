package io.github.amb.models.onednn.reference;

import java.util.List;
import org.nd4j.linalg.activations.Activation;

/** An activation. */
final class Function implements Layer {
  /**
   * Variance of what a processor's approximation of the logistic function or of tanh is off by. No
   * standard says; oneDNN's polynomials are within a few units of rounding at 1, here 4.
   */
  private static final double APPROXIMATION = 16 * Ball.UNIT;

  private final Activation kind;
  private Values result;
  private boolean[] passes;

  Function(Activation kind) {
    this.kind = kind;
  }

  @Override
  public Values forward(Pass pass, List<Values> inputs) {
    Values x = inputs.get(0);
    result = x.like();
    passes = new boolean[x.size()];
    for (int i = 0; i < x.size(); i++) {
      result.set(i, apply(pass, x.get(i), i));
    }
    return result;
  }

  private Ball apply(Pass pass, Ball x, int i) {
    switch (kind) {
      case IDENTITY:
        return x;
      case RELU:
        passes[i] = pass.isPositive(x.value(), x.variance());
        return passes[i] ? x : Ball.exact(0);
      case RELU6:
        boolean cut = pass.isPositive(x.value() - 6, x.variance());
        boolean positive = pass.isPositive(x.value(), x.variance());
        passes[i] = positive && !cut;
        return cut ? Ball.exact(6) : positive ? x : Ball.exact(0);
      case SIGMOID:
        // Its slope is at most 1 / 4.
        return new Ball(1 / (1 + Math.exp(-x.value())), x.variance() / 16 + APPROXIMATION);
      case TANH:
        return new Ball(Math.tanh(x.value()), x.variance() + APPROXIMATION);
      default:
        throw new IllegalArgumentException("expected an activation known here, found " + kind);
    }
  }

  @Override
  public List<Values> backward(Pass pass, Values delta) {
    Values gradient = delta.like();
    for (int i = 0; i < delta.size(); i++) {
      gradient.set(i, backward(delta.get(i), result.get(i), passes[i]));
    }
    return List.of(gradient);
  }

  /** The slope of the smooth ones follows from the result. */
  private Ball backward(Ball delta, Ball y, boolean passed) {
    Ball one = Ball.exact(1);
    return switch (kind) {
      case IDENTITY -> delta;
      case SIGMOID -> delta.times(y.times(one.minus(y)));
      case TANH -> delta.times(one.minus(y.times(y)));
      default -> passed ? delta : Ball.exact(0);
    };
  }
}
