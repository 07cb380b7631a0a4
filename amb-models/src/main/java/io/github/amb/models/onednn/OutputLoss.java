package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.example.Examples;
import org.bytedeco.javacpp.FloatPointer;

/** A loss of rows of a network's results, with the scores of an evaluation. */
abstract class OutputLoss {
  private final int outputs;
  private float[] rows = {};
  private double loss;
  private int correct;
  private int count;

  /**
   * @param outputs length of a row
   */
  OutputLoss(int outputs) {
    this.outputs = outputs;
  }

  /**
   * The loss of one example.
   *
   * @param rows the example's row is replaced by the gradient of the loss by it
   * @param start index of the row's first entry
   * @param expected has the example
   */
  abstract double loss(float[] rows, int start, Examples expected, int example);

  /** Whether an example's row predicts what is expected; arguments as {@link #loss}. */
  abstract boolean isCorrect(float[] rows, int start, Examples expected, int example);

  /**
   * The loss sum of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param output [to − from, outputs], row-major
   * @param gradient receives the gradient of the loss sum by the output
   * @param expected the examples that the indices are of
   */
  final double lossAndGradient(
      FloatPointer output,
      FloatPointer gradient,
      Examples expected,
      int[] examples,
      int from,
      int to) {
    read(output, to - from);
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += loss(rows, (i - from) * outputs, expected, examples[i]);
    }
    gradient.put(rows, 0, (to - from) * outputs);
    return sum;
  }

  private void read(FloatPointer source, int count) {
    if (rows.length < count * outputs) {
      rows = new float[count * outputs];
    }
    source.get(rows, 0, count * outputs);
  }

  /** Starts an evaluation. */
  final void beginScores() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  /**
   * Adds the scores of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param output [to − from, outputs], row-major
   * @param expected the examples to which the indices refer
   */
  final void score(FloatPointer output, Examples expected, int[] examples, int from, int to) {
    read(output, to - from);
    for (int i = from; i < to; i++) {
      int start = (i - from) * outputs;
      correct += isCorrect(rows, start, expected, examples[i]) ? 1 : 0;
      loss += loss(rows, start, expected, examples[i]);
    }
    count += to - from;
  }

  /** Mean loss and accuracy since {@link #beginScores}; NaN if there were no examples. */
  final Evaluation scores() {
    return new Evaluation(loss / count, (double) correct / count, count);
  }
}
