package io.github.amb.models.onednn;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.Examples;
import org.bytedeco.javacpp.FloatPointer;

/** A loss of rows of a network's results, with the scores of an evaluation. */
interface OutputLoss {
  /**
   * The loss sum of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param output [to − from, outputs], row-major
   * @param gradient receives the gradient of the loss sum by the output
   * @param expected the examples that the indices are of
   */
  double lossAndGradient(
      FloatPointer output,
      FloatPointer gradient,
      Examples expected,
      int[] examples,
      int from,
      int to);

  /** Starts an evaluation. */
  void beginScores();

  /**
   * Adds the scores of examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param output [to − from, outputs], row-major
   * @param expected the examples to which the indices refer
   */
  void score(FloatPointer output, Examples expected, int[] examples, int from, int to);

  /** Mean loss and accuracy since {@link #beginScores}; NaN if there were no examples. */
  Evaluation scores();
}
