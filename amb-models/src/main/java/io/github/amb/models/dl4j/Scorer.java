package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.example.Examples;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Sums losses and correct answers over chunks of examples. The loss is cross-entropy for classes,
 * or the squared error for predicted numbers. A predicted number is correct if its error is below
 * ½.
 */
final class Scorer {
  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder().policyLearning(LearningPolicy.FIRST_LOOP).build();

  private static final double TOLERANCE = 0.5;

  private final int outputs;
  private final boolean regression;
  private float[] found = {};
  private double loss;
  private int correct;
  private int count;

  private Scorer(int outputs, boolean regression) {
    this.outputs = outputs;
    this.regression = regression;
  }

  /** A scorer of class probabilities. */
  static Scorer ofClasses(int classes) {
    return new Scorer(classes, false);
  }

  /** A scorer of predicted numbers. */
  static Scorer ofTargets() {
    return new Scorer(1, true);
  }

  void begin() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  /**
   * Adds the scores of a chunk.
   *
   * @param input features of consecutive examples, the first being {@code indices[from]}
   * @param indices not modified
   */
  void score(TrainableNetwork network, INDArray input, Examples examples, int[] indices, int from) {
    int rows = Math.toIntExact(input.size(0));
    try (MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace(WORKSPACE, "AMB_SCORER")) {
      found = network.output(input, workspace).dup('c').data().asFloat();
    }
    for (int row = 0; row < rows; row++) {
      int example = indices[from + row];
      if (regression) {
        count(found[row] - (double) examples.target(example, 0));
      } else {
        count(row * outputs, examples.label(example));
      }
    }
    count += rows;
  }

  private void count(double error) {
    correct += Math.abs(error) < TOLERANCE ? 1 : 0;
    loss += error * error;
  }

  private void count(int start, int label) {
    int best = 0;
    for (int j = 1; j < outputs; j++) {
      if (found[start + j] > found[start + best]) {
        best = j;
      }
    }
    correct += best == label ? 1 : 0;
    loss -= Math.log(Math.max(found[start + label], Float.MIN_NORMAL));
  }

  /** Mean loss and accuracy since {@link #begin}; NaN if there were no examples. */
  Evaluation evaluation() {
    return new Evaluation(loss / count, (double) correct / count, count);
  }
}
