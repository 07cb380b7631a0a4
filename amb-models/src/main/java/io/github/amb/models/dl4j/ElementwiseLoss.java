package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;

/**
 * A sum of losses of one output each. Of classes, each output expects 1 for its class and 0 for the
 * others; a single one expects the number of the class, which counts as predicted right if the
 * error is less than ½.
 */
final class ElementwiseLoss extends OutputLoss {
  private static final double TOLERANCE = 0.5;

  private final Loss loss;
  private final boolean softplus;

  /**
   * @param softplus whether rows have the arguments of that activation
   */
  ElementwiseLoss(Loss loss, int outputs, boolean softplus) {
    super(outputs);
    this.loss = loss;
    this.softplus = softplus;
  }

  @Override
  double expected(int output, int label, Examples examples, int example) {
    double y =
        examples.targets() != Targets.CLASS
            ? examples.target(example, output)
            : outputs > 1
                ? label == output ? 1 : 0
                : loss.isBinary() ? label : examples.target(example, 0);
    return loss.isSigned() ? 2 * y - 1 : y;
  }

  private double output(double x) {
    return softplus ? Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))) : x;
  }

  @Override
  double loss(float[] rows, int start, int label, Examples examples, int example) {
    double sum = 0;
    for (int i = 0; i < outputs; i++) {
      double x = output(rows[start + i]);
      double inner = softplus ? 1 / (1 + Math.exp(-rows[start + i])) : 1;
      double y = expected(i, label, examples, example);
      double weight = examples.targets() == Targets.CLASS ? 1 : examples.weight(i);
      sum += weight * loss.value(x, y, outputs);
      rows[start + i] = (float) (weight * inner * loss.slope(x, y, outputs));
    }
    return sum;
  }

  @Override
  int decides(float prediction) {
    return loss.isSigned() ? prediction > 0 ? 1 : 0 : super.decides(prediction);
  }

  @Override
  public void predict(float[] rows, int start) {
    for (int i = start; i < start + outputs; i++) {
      rows[i] = (float) (loss == Loss.XENT ? 1 / (1 + Math.exp(-rows[i])) : output(rows[i]));
    }
  }

  @Override
  double right(float[] rows, int start, int label, Examples examples, int example) {
    if (examples.targets() == Targets.CLASS && outputs > 1) {
      return best(rows, start) == start + label ? 1 : 0;
    }
    double right = 0;
    for (int i = 0; i < outputs; i++) {
      double x = output(rows[start + i]);
      double y = expected(i, label, examples, example);
      boolean near = Math.abs(x - y) < TOLERANCE;
      right += (loss.isBinary() ? x > 0 == y > 0 : near) ? 1 : 0;
    }
    return right / outputs;
  }
}
