package io.github.amb.models.dl4j;

import io.github.amb.models.data.example.Examples;

/** Softmax with cross-entropy over rows of logits. */
class SoftmaxLoss extends OutputLoss {
  SoftmaxLoss(int classes) {
    super(classes);
  }

  @Override
  double expected(int output, int label, Examples examples, int example) {
    double spread = (float) (examples.smoothing() / outputs);
    return output == label ? (float) spread + (float) (1 - examples.smoothing()) : spread;
  }

  /**
   * Replaces logits z by {@code softmax(z) − y} and returns {@code −Σ y log softmax(z)}, where y is
   * 1 at the label, of which a share is spread evenly over all classes.
   */
  @Override
  double loss(float[] z, int start, int label, Examples labels, int example) {
    double smoothing = labels.smoothing();
    float max = z[best(z, start)];
    double sum = 0;
    double all = 0;
    double shifted = z[start + label] - max;
    for (int j = start; j < start + outputs; j++) {
      all += z[j] - max;
      double exp = Math.exp(z[j] - max);
      sum += exp;
      z[j] = (float) exp;
    }
    double spread = smoothing / outputs;
    for (int j = start; j < start + outputs; j++) {
      z[j] = (float) (z[j] / sum - spread);
    }
    z[start + label] -= (float) (1 - smoothing);
    return Math.log(sum) - (1 - smoothing) * shifted - spread * all;
  }

  @Override
  public void predict(float[] z, int start) {
    float max = z[best(z, start)];
    double sum = 0;
    for (int j = start; j < start + outputs; j++) {
      z[j] = (float) Math.exp(z[j] - max);
      sum += z[j];
    }
    for (int j = start; j < start + outputs; j++) {
      z[j] = (float) (z[j] / sum);
    }
  }

  @Override
  double right(float[] z, int start, int label, Examples labels, int example) {
    return best(z, start) == start + label ? 1 : 0;
  }

  /**
   * The same of rows of probabilities, to which the softmax has been applied; it has no gradient.
   */
  static OutputLoss ofProbabilities(int classes) {
    return new SoftmaxLoss(classes) {
      @Override
      double loss(float[] p, int start, int label, Examples labels, int example) {
        return -Math.log(Math.max(p[start + label], Float.MIN_NORMAL));
      }
    };
  }
}
