package io.github.amb.core.sim;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Stands for a model where timing alone is studied. It has few values, each of which counts as many
 * parameters as the {@code weight} of {@link VirtualCluster} says. Its gradients and losses are
 * zero, its accuracies NaN.
 *
 * @param trainingExamples size of the training set, the unit of epochs
 * @param testExamples size of the test set
 * @param layout of the values
 */
public record TimingSource(int trainingExamples, int testExamples, Layout layout)
    implements GradientSource {
  /**
   * @param values number of values, as many as there are slices to cut vectors into
   */
  public TimingSource(int trainingExamples, int testExamples, int values) {
    this(
        trainingExamples,
        testExamples,
        new Layout(List.of(new Block("parameters", Block.Kind.WEIGHT, 0, values))));
  }

  /** With one value. */
  public TimingSource(int trainingExamples, int testExamples) {
    this(trainingExamples, testExamples, 1);
  }

  @Override
  public void initialize(long seed, float[] parameters) {
    Arrays.fill(parameters, 0, layout.size(), 0);
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {}

  @Override
  public double accumulate(int[] examples, int from, int to) {
    return 0;
  }

  @Override
  public void finish(FloatBuffer gradient) {
    for (int i = 0; i < layout.size(); i++) {
      gradient.put(i, 0);
    }
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    return new Evaluation(Double.NaN, Double.NaN, to - from);
  }

  @Override
  public void close() {}
}
