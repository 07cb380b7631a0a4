package io.github.amb.models.dl4j;

/** Softmax with cross-entropy over rows of logits. */
final class SoftmaxCrossEntropy {
  private SoftmaxCrossEntropy() {}

  /**
   * Replaces each row z by the gradient {@code softmax(z)·Σy − y} of its loss {@code −Σ yⱼ log
   * softmax(z)ⱼ}.
   *
   * @param logits [rows, classes], row-major; modified
   * @param labels [rows, classes], row-major; not modified
   * @return the sum of the rows' losses
   */
  static double lossAndGradient(float[] logits, float[] labels, int rows, int classes) {
    double loss = 0;
    for (int start = 0; start < rows * classes; start += classes) {
      loss += row(logits, labels, start, classes);
    }
    return loss;
  }

  private static double row(float[] logits, float[] labels, int start, int classes) {
    float max = Float.NEGATIVE_INFINITY;
    double weight = 0;
    for (int j = start; j < start + classes; j++) {
      max = Math.max(max, logits[j]);
      weight += labels[j];
    }
    double sum = 0;
    double loss = 0;
    for (int j = start; j < start + classes; j++) {
      float shifted = logits[j] - max;
      double exp = Math.exp(shifted);
      sum += exp;
      loss -= labels[j] * shifted;
      logits[j] = (float) exp;
    }
    for (int j = start; j < start + classes; j++) {
      logits[j] = (float) (logits[j] * (weight / sum)) - labels[j];
    }
    return loss + weight * Math.log(sum);
  }
}
