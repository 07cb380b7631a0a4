package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.example.Examples;
import org.bytedeco.javacpp.FloatPointer;

/**
 * A loss of rows of a network's results, with the scores of an evaluation. An example has a row for
 * each of its positions. Its loss is the mean over them.
 */
abstract class OutputLoss {
  private final int outputs;
  private float[] rows = {};
  private int[] labels = {};
  private double loss;
  private double correct;
  private int count;

  /**
   * @param outputs length of a row
   */
  OutputLoss(int outputs) {
    this.outputs = outputs;
  }

  /**
   * The loss of one position.
   *
   * @param rows the position's row is replaced by the gradient of the loss by it
   * @param start index of the row's first entry
   * @param label class of the position
   * @param expected has the example
   */
  abstract double loss(float[] rows, int start, int label, Examples expected, int example);

  /** Whether a row predicts what is expected; arguments as {@link #loss}. */
  abstract boolean isCorrect(float[] rows, int start, int label, Examples expected, int example);

  /**
   * The loss sum of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param output [to − from, positions, outputs], row-major
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
    int positions = read(output, to - from, expected);
    double sum = 0;
    for (int i = from; i < to; i++) {
      expected.copyLabels(examples[i], labels);
      sum += loss((i - from) * positions, positions, expected, examples[i]);
    }
    int length = (to - from) * positions * outputs;
    for (int i = 0; positions > 1 && i < length; i++) {
      rows[i] /= positions;
    }
    gradient.put(rows, 0, length);
    return sum;
  }

  /** The mean loss of an example, whose labels were read and whose rows begin at {@code row}. */
  private double loss(int row, int positions, Examples expected, int example) {
    double sum = 0;
    for (int i = 0; i < positions; i++) {
      sum += loss(rows, (row + i) * outputs, labels[i], expected, example);
    }
    return sum / positions;
  }

  /** Reads the rows of {@code count} examples; returns how many each has. */
  private int read(FloatPointer source, int count, Examples expected) {
    int positions = expected.positions();
    if (rows.length < count * positions * outputs) {
      rows = new float[count * positions * outputs];
    }
    if (labels.length < positions) {
      labels = new int[positions];
    }
    source.get(rows, 0, count * positions * outputs);
    return positions;
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
   * @param output [to − from, positions, outputs], row-major
   * @param expected the examples to which the indices refer
   */
  final void score(FloatPointer output, Examples expected, int[] examples, int from, int to) {
    int positions = read(output, to - from, expected);
    for (int i = from; i < to; i++) {
      int row = (i - from) * positions;
      expected.copyLabels(examples[i], labels);
      int right = 0;
      for (int j = 0; j < positions; j++) {
        int start = (row + j) * outputs;
        right += isCorrect(rows, start, labels[j], expected, examples[i]) ? 1 : 0;
      }
      correct += (double) right / positions;
      loss += loss(row, positions, expected, examples[i]);
    }
    count += to - from;
  }

  /**
   * Mean loss, and share of positions that are predicted right, since {@link #beginScores}; NaN if
   * there were no examples.
   */
  final Evaluation scores() {
    return new Evaluation(loss / count, correct / count, count);
  }
}
