package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;

/**
 * A loss of rows of a network's results, with the scores of an evaluation. An example has a row for
 * each of its positions. Its loss is the mean over them.
 */
public abstract class OutputLoss {
  final int outputs;
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

  /** The loss of a network, of {@linkplain Loss#takesArguments arguments} of an activation. */
  public static OutputLoss of(Architecture network) {
    int outputs = network.outputUnits();
    return network.loss() == Loss.MCXENT
        ? new SoftmaxLoss(outputs)
        : new ElementwiseLoss(network.loss(), outputs, Loss.isSoftplus(network.last()));
  }

  /** Number of outputs of a position. */
  public final int outputs() {
    return outputs;
  }

  /** What an output should be for an example, or the probability that it should have. */
  abstract double expected(int output, int label, Examples examples, int example);

  /**
   * The loss of one position.
   *
   * @param rows the position's row is replaced by the gradient of the loss by it
   * @param start index of the row's first entry
   * @param label class of the position
   * @param expected has the example
   */
  abstract double loss(float[] rows, int start, int label, Examples expected, int example);

  /** The share of a row that is predicted right, 0 or 1 of classes; arguments as {@link #loss}. */
  abstract double right(float[] rows, int start, int label, Examples expected, int example);

  /**
   * The loss sum of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param rows the results, [to − from, positions, outputs]; replaced by the gradient of the loss
   *     sum by them
   * @param expected the examples that the indices are of
   */
  public final double lossAndGradient(
      float[] rows, Examples expected, int[] examples, int from, int to) {
    int positions = expected.positions();
    double sum = 0;
    for (int i = from; i < to; i++) {
      read(expected, examples[i]);
      sum += loss(rows, (i - from) * positions, expected, examples[i]);
    }
    int length = (to - from) * positions * outputs;
    for (int i = 0; positions > 1 && i < length; i++) {
      rows[i] /= positions;
    }
    return sum;
  }

  /** The mean loss of an example, whose labels were read and whose rows begin at {@code row}. */
  private double loss(float[] rows, int row, Examples expected, int example) {
    int positions = expected.positions();
    double sum = 0;
    for (int i = 0; i < positions; i++) {
      int start = (row + i) * outputs;
      double loss = loss(rows, start, labels[i], expected, example);
      double weight = expected.targets() == Targets.CLASS ? expected.weight(labels[i]) : 1;
      for (int j = start; weight != 1 && j < start + outputs; j++) {
        rows[j] *= (float) weight;
      }
      sum += weight * loss;
    }
    return sum / positions;
  }

  private void read(Examples expected, int example) {
    if (labels.length < expected.positions()) {
      labels = new int[expected.positions()];
    }
    expected.copyLabels(example, labels);
  }

  /**
   * What a row predicts: probabilities of classes or labels, or numbers.
   *
   * @param rows replaced by it
   */
  public abstract void predict(float[] rows, int start);

  /**
   * The class that a {@linkplain #predict prediction} stands for, from 0 to {@code classes} − 1.
   */
  public final int decides(float[] rows, int start, int classes) {
    int found = outputs > 1 ? best(rows, start) - start : decides(rows[start]);
    return Math.max(0, Math.min(classes - 1, found));
  }

  /** The class that the prediction of a single output stands for. */
  int decides(float prediction) {
    return Math.round(prediction);
  }

  /** Index of the largest entry of a row. */
  final int best(float[] rows, int start) {
    int best = start;
    for (int i = start + 1; i < start + outputs; i++) {
      if (rows[i] > rows[best]) {
        best = i;
      }
    }
    return best;
  }

  /** Starts an evaluation. */
  public final void beginScores() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  /**
   * Adds the scores of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param rows the results, [to − from, positions, outputs]; modified
   * @param expected the examples to which the indices refer
   */
  public final void score(float[] rows, Examples expected, int[] examples, int from, int to) {
    int positions = expected.positions();
    for (int i = from; i < to; i++) {
      int row = (i - from) * positions;
      read(expected, examples[i]);
      double right = 0;
      for (int j = 0; j < positions; j++) {
        right += right(rows, (row + j) * outputs, labels[j], expected, examples[i]);
      }
      correct += right / positions;
      loss += loss(rows, row, expected, examples[i]);
    }
    count += to - from;
  }

  /**
   * Mean loss, and share of positions that are predicted right, since {@link #beginScores}; NaN if
   * there were no examples.
   */
  public final Evaluation scores() {
    return new Evaluation(loss / count, correct / count, count);
  }
}
