package io.github.amb.core.sim;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Stands for a model where timing alone is studied. It has one parameter, which counts as many as
 * the {@code weight} of {@link VirtualCluster} says. Its gradients and losses are zero, its
 * accuracies NaN.
 *
 * @param trainingExamples size of the training set, the unit of epochs
 * @param testExamples size of the test set
 */
public record TimingSource(int trainingExamples, int testExamples) implements GradientSource {
  private static final Layout ONE =
      new Layout(List.of(new Block("parameters", Block.Kind.WEIGHT, 0, 1)));

  @Override
  public Layout layout() {
    return ONE;
  }

  @Override
  public void initialize(long seed, float[] parameters) {
    parameters[0] = 0;
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {}

  @Override
  public double accumulate(int[] examples, int from, int to) {
    return 0;
  }

  @Override
  public void finish(FloatBuffer gradient) {
    gradient.put(0, 0);
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    return new Evaluation(Double.NaN, Double.NaN, to - from);
  }

  @Override
  public void close() {}
}
