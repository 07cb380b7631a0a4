package io.github.amb.models.onednn;

import io.github.amb.models.data.example.Examples;

/**
 * The squared error of one predicted number per example, {@code (ŷ − y)²}. A prediction counts as
 * correct if its error is less than ½, so that it rounds to the right class where targets are
 * classes.
 */
final class SquaredLoss extends OutputLoss {
  private static final double TOLERANCE = 0.5;

  SquaredLoss() {
    super(1);
  }

  @Override
  double loss(float[] rows, int start, int label, Examples expected, int example) {
    double error = error(rows, start, expected, example);
    rows[start] = (float) (2 * error);
    return error * error;
  }

  @Override
  boolean isCorrect(float[] rows, int start, int label, Examples expected, int example) {
    return Math.abs(error(rows, start, expected, example)) < TOLERANCE;
  }

  private static double error(float[] rows, int start, Examples expected, int example) {
    return rows[start] - (double) expected.target(example, 0);
  }
}
