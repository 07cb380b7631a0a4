package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.Examples;
import org.bytedeco.javacpp.FloatPointer;

/**
 * The squared error of one predicted number per example, {@code (ŷ − y)²}. A prediction counts as
 * correct if its error is less than ½, so that it rounds to the right class where targets are
 * classes.
 */
final class SquaredLoss implements OutputLoss {
  private static final double TOLERANCE = 0.5;

  private float[] values = {};
  private double loss;
  private int correct;
  private int count;

  @Override
  public double lossAndGradient(
      FloatPointer output,
      FloatPointer gradient,
      Examples expected,
      int[] examples,
      int from,
      int to) {
    float[] rows = read(output, to - from);
    double sum = 0;
    for (int i = from; i < to; i++) {
      double error = rows[i - from] - (double) expected.target(examples[i]);
      sum += error * error;
      rows[i - from] = (float) (2 * error);
    }
    gradient.put(rows, 0, to - from);
    return sum;
  }

  private float[] read(FloatPointer source, int rows) {
    if (values.length < rows) {
      values = new float[rows];
    }
    source.get(values, 0, rows);
    return values;
  }

  @Override
  public void beginScores() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  @Override
  public void score(FloatPointer output, Examples expected, int[] examples, int from, int to) {
    float[] rows = read(output, to - from);
    for (int i = from; i < to; i++) {
      double error = rows[i - from] - (double) expected.target(examples[i]);
      correct += Math.abs(error) < TOLERANCE ? 1 : 0;
      loss += error * error;
    }
    count += to - from;
  }

  @Override
  public Evaluation scores() {
    return new Evaluation(loss / count, (double) correct / count, count);
  }
}
