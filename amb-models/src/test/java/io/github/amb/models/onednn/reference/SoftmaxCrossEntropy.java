package io.github.amb.models.onednn.reference;

/** The loss of a batch of logits, and its gradient. */
final class SoftmaxCrossEntropy {
  private final Pass pass;
  private final int positions;
  private double loss;
  private double variance;
  private int correct;

  /**
   * @param positions rows of an example, whose loss is the mean over them
   */
  SoftmaxCrossEntropy(Pass pass, int positions) {
    this.positions = positions;
    this.pass = pass;
  }

  double loss() {
    return loss;
  }

  /** Bound on what the loss errs by. */
  double error() {
    return new Ball(loss, variance).error();
  }

  /** Number of rows whose largest logit is that of their label. */
  int correct() {
    return correct;
  }

  /** The gradient by the logits; adds to the loss. */
  Values add(Values logits, int[] labels) {
    Values gradient = logits.like();
    for (int n = 0; n < logits.examples; n++) {
      addRow(logits, n * logits.channels, labels[n], gradient);
    }
    return gradient;
  }

  private void addRow(Values z, int start, int label, Values gradient) {
    double max = Double.NEGATIVE_INFINITY;
    double min = Double.POSITIVE_INFINITY;
    double largest = 0;
    int best = start;
    for (int j = start; j < start + z.channels; j++) {
      best = z.value[j] > z.value[best] ? j : best;
      max = Math.max(max, z.value[j]);
      min = Math.min(min, z.value[j]);
      largest = Math.max(largest, z.variance[j]);
    }
    double sum = 0;
    for (int j = start; j < start + z.channels; j++) {
      sum += Math.exp(z.value[j] - max);
      if (j != best && !pass.training) {
        pass.isPositive(z.value[best] - z.value[j], z.variance[best] + z.variance[j]);
      }
    }
    pass.note(best);
    correct += best == start + label ? 1 : 0;
    double range = max - min;
    for (int j = start; j < start + z.channels; j++) {
      double log = z.value[j] - max - Math.log(sum);
      // By the logit itself, by the others in the sum; z - max is rounded once in each.
      double logVariance = z.variance[j] + largest + 2 * Ball.UNIT * range * range;
      if (j == start + label) {
        loss -= log / positions;
        variance += logVariance / positions / positions;
      }
      double p = Math.exp(log);
      // The exponential and the quotient are rounded.
      var softmax = new Ball(p, p * p * (logVariance + 2 * Ball.UNIT));
      Ball slope = j == start + label ? softmax.minus(Ball.exact(1)) : softmax;
      gradient.set(j, positions == 1 ? slope : slope.times(Ball.exact(1.0 / positions)));
    }
  }
}
