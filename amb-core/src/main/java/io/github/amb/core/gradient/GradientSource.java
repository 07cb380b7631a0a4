package io.github.amb.core.gradient;

import java.nio.FloatBuffer;
import java.util.Map;

/**
 * A model with its data: computes sums of example gradients over partitions of a batch, and
 * evaluates.
 *
 * <p>A worker's step is one {@link #begin}, one {@link #accumulate} per partition, then {@link
 * #finish}. Gradients are sums over examples, not means: the master divides once by the total
 * number of examples. Weight decay is not part of the loss. Instances are used by one thread at a
 * time.
 */
public interface GradientSource extends AutoCloseable {
  /** Blocks of the flat parameter vector. */
  Layout layout();

  /** Number of training examples. Their indices start at 0. */
  int trainingExamples();

  /** Number of test examples. Their indices start at 0. */
  int testExamples();

  /**
   * Writes the initial parameters, which depend on {@code seed} alone.
   *
   * @param parameters at least {@code layout().size()} entries; modified
   */
  void initialize(long seed, float[] parameters);

  /**
   * Starts a gradient sum at the given parameters.
   *
   * @param parameters at least {@code layout().size()} entries from index 0 on; not modified, not
   *     kept
   * @param drawSeed seed of the model's random draws during this sum, such as dropout
   */
  void begin(FloatBuffer parameters, long drawSeed);

  /**
   * Starts a gradient sum; the model may work on the given memory without copying it.
   *
   * @param parameters at least {@code layout().size()} entries from index 0 on; not modified. They
   *     must not change until the last {@link #accumulate}.
   * @param gradient the buffer that {@link #finish(FloatBuffer)} will receive. The model may write
   *     to it from now on.
   * @param drawSeed seed of the model's random draws during this sum, such as dropout
   */
  default void begin(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    begin(parameters, drawSeed);
  }

  /**
   * Starts a gradient sum at the given parameters.
   *
   * @param parameters at least {@code layout().size()} entries; not modified, not kept
   * @param drawSeed seed of the model's random draws during this sum, such as dropout
   */
  default void begin(float[] parameters, long drawSeed) {
    begin(FloatBuffer.wrap(parameters), drawSeed);
  }

  /**
   * Adds the gradients of the losses of training examples {@code examples[from]} to {@code
   * examples[to − 1]}.
   *
   * <p>In blocks of kind {@link Block.Kind#RUNNING_STATISTIC}, the update of this partition is
   * added times its number of examples. Division by the total number of examples then averages it.
   *
   * @param examples indices of training examples; not modified
   * @return the sum of the losses of these examples, or 0 if it is part of {@link #deferredLoss}
   */
  double accumulate(int[] examples, int from, int to);

  /**
   * Ends the sum.
   *
   * @param gradient receives the sum, {@code layout().size()} entries from index 0 on; modified
   */
  void finish(FloatBuffer gradient);

  /**
   * Ends the sum.
   *
   * @param gradient receives the sum, at least {@code layout().size()} entries; modified
   */
  default void finish(float[] gradient) {
    finish(FloatBuffer.wrap(gradient));
  }

  /**
   * The sum of the losses of the last gradient sum that {@link #accumulate} has not returned,
   * because they were computed later; 0 if there are none.
   */
  default double deferredLoss() {
    return 0;
  }

  /**
   * Evaluates test examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param parameters at least {@code layout().size()} entries; not modified, not kept
   * @param examples indices of test examples; not modified
   */
  Evaluation evaluate(float[] parameters, int[] examples, int from, int to);

  /**
   * Further numbers of an evaluation, such as perplexity, by their names in records: lower-case
   * words with underscores. Called once after all parts of an evaluation. The result depends on the
   * arguments alone.
   *
   * @param parameters at least {@code layout().size()} entries; not modified, not kept
   * @param scores of all examples of the evaluation
   * @return numbers in the order in which they are shown
   */
  default Map<String, Double> metrics(float[] parameters, Evaluation scores) {
    return Map.of();
  }

  /** Frees native memory. Further calls have no effect. */
  @Override
  void close();
}
