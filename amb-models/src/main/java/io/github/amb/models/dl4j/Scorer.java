package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.models.data.Examples;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Counts cross-entropy and correct answers over chunks of examples. */
final class Scorer {
  private static final WorkspaceConfiguration WORKSPACE =
      WorkspaceConfiguration.builder().policyLearning(LearningPolicy.FIRST_LOOP).build();

  private final int classes;
  private float[] probabilities = {};
  private double loss;
  private int correct;
  private int count;

  Scorer(int classes) {
    this.classes = classes;
  }

  void begin() {
    loss = 0;
    correct = 0;
    count = 0;
  }

  /**
   * Adds the scores of a chunk.
   *
   * @param input the features of examples {@code indices[from]} and following
   */
  void score(TrainableNetwork network, INDArray input, Examples examples, int[] indices, int from) {
    int rows = Math.toIntExact(input.size(0));
    try (MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace(WORKSPACE, "AMB_SCORER")) {
      probabilities = network.output(input, workspace).dup('c').data().asFloat();
    }
    for (int row = 0; row < rows; row++) {
      count(row * classes, examples.label(indices[from + row]));
    }
    count += rows;
  }

  private void count(int start, int label) {
    int best = 0;
    for (int j = 1; j < classes; j++) {
      if (probabilities[start + j] > probabilities[start + best]) {
        best = j;
      }
    }
    correct += best == label ? 1 : 0;
    loss -= Math.log(Math.max(probabilities[start + label], Float.MIN_NORMAL));
  }

  /** Mean loss and accuracy since {@link #begin}; NaN if there were no examples. */
  Evaluation evaluation() {
    return new Evaluation(loss / count, (double) correct / count, count);
  }
}
