package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.Examples;
import org.bytedeco.javacpp.FloatPointer;

/** Softmax with cross-entropy over rows of logits, with the scores of an evaluation. */
final class SoftmaxLoss implements OutputLoss {
  private final int classes;
  private float[] logits = {};
  private double loss;
  private int correct;
  private int count;

  SoftmaxLoss(int classes) {
    this.classes = classes;
  }

  @Override
  public double lossAndGradient(
      FloatPointer logits,
      FloatPointer gradient,
      Examples labels,
      int[] examples,
      int from,
      int to) {
    float[] rows = read(logits, to - from);
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += row(rows, (i - from) * classes, labels.label(examples[i]), labels.smoothing());
    }
    gradient.put(rows, 0, (to - from) * classes);
    return sum;
  }

  private float[] read(FloatPointer source, int rows) {
    if (logits.length < rows * classes) {
      logits = new float[rows * classes];
    }
    source.get(logits, 0, rows * classes);
    return logits;
  }

  /**
   * Replaces logits z by {@code softmax(z) − y} and returns {@code −Σ y log softmax(z)}, where y is
   * 1 at the label, of which a share is spread evenly over all classes.
   */
  private double row(float[] z, int start, int label, double smoothing) {
    float max = z[best(z, start)];
    double sum = 0;
    double all = 0;
    double shifted = z[start + label] - max;
    for (int j = start; j < start + classes; j++) {
      all += z[j] - max;
      double exp = Math.exp(z[j] - max);
      sum += exp;
      z[j] = (float) exp;
    }
    double spread = smoothing / classes;
    for (int j = start; j < start + classes; j++) {
      z[j] = (float) (z[j] / sum - spread);
    }
    z[start + label] -= (float) (1 - smoothing);
    return Math.log(sum) - (1 - smoothing) * shifted - spread * all;
  }

  private int best(float[] z, int start) {
    int best = start;
    for (int j = start + 1; j < start + classes; j++) {
      if (z[j] > z[best]) {
        best = j;
      }
    }
    return best;
  }

  @Override
  public void beginScores() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  @Override
  public void score(FloatPointer logits, Examples labels, int[] examples, int from, int to) {
    float[] rows = read(logits, to - from);
    for (int i = from; i < to; i++) {
      int start = (i - from) * classes;
      int label = labels.label(examples[i]);
      correct += best(rows, start) == start + label ? 1 : 0;
      loss += row(rows, start, label, labels.smoothing());
    }
    count += to - from;
  }

  @Override
  public Evaluation scores() {
    return new Evaluation(loss / count, (double) correct / count, count);
  }
}
