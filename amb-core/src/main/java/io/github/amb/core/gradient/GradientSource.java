package io.github.amb.core.gradient;

import java.nio.FloatBuffer;

/**
 * A model on its data: sums of example gradients over slices of a batch, and evaluation.
 *
 * <p>One step at a worker is {@link #begin}, one {@link #accumulate} per partition, {@link
 * #finish}. Gradients are sums over examples, never means: the master divides once by the number of
 * all examples. Weight decay is not part of the loss here. Instances are used by one thread at a
 * time.
 */
public interface GradientSource extends AutoCloseable {
  /** Blocks of the flat parameter vector. */
  Layout layout();

  /** Number of training examples; their indices are 0 to this − 1. */
  int trainingExamples();

  /** Number of test examples; their indices are 0 to this − 1. */
  int testExamples();

  /**
   * Writes the initial parameters, a function of {@code seed} alone.
   *
   * @param parameters at least {@code layout().size()} entries; modified
   */
  void initialize(long seed, float[] parameters);

  /**
   * Starts a gradient sum at the given parameters.
   *
   * @param parameters at least {@code layout().size()} entries from index 0 on; not modified, not
   *     kept
   * @param drawSeed seed of whatever the model draws at random during this sum, such as dropout
   */
  void begin(FloatBuffer parameters, long drawSeed);

  /**
   * As {@link #begin(FloatBuffer, long)}, for models that work on the memory of others without
   * copying it.
   *
   * @param parameters as there, and must stay as they are until the last {@link #accumulate}
   * @param gradient what {@link #finish(FloatBuffer)} will get; may be written to from now on, so
   *     it must be of no other use until then
   */
  default void begin(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    begin(parameters, drawSeed);
  }

  /** As {@link #begin(FloatBuffer, long)}, from an array. */
  default void begin(float[] parameters, long drawSeed) {
    begin(FloatBuffer.wrap(parameters), drawSeed);
  }

  /**
   * Adds the gradients of the losses of training examples {@code examples[from]} to {@code
   * examples[to − 1]}.
   *
   * <p>In blocks of kind {@link Block.Kind#RUNNING_STATISTIC} the update of this slice is added
   * times the number of its examples, so that dividing by all examples averages it.
   *
   * @param examples indices of training examples; not modified
   * @return the sum of the examples' losses, or 0 if they are deferred to {@link #finish}
   */
  double accumulate(int[] examples, int from, int to);

  /**
   * Ends the sum.
   *
   * @param gradient receives the sum, {@code layout().size()} entries from index 0 on; modified
   */
  void finish(FloatBuffer gradient);

  /** As {@link #finish(FloatBuffer)}, to an array. */
  default void finish(float[] gradient) {
    finish(FloatBuffer.wrap(gradient));
  }

  /**
   * The part of the losses of the last sum that {@link #accumulate} has not returned, as it had not
   * computed them yet; 0 where it computes at once.
   */
  default double deferredLoss() {
    return 0;
  }

  /**
   * Scores test examples {@code examples[from]} to {@code examples[to − 1]}.
   *
   * @param parameters at least {@code layout().size()} entries; not modified, not kept
   * @param examples indices of test examples; not modified
   */
  Evaluation evaluate(float[] parameters, int[] examples, int from, int to);

  /** Frees native memory. */
  @Override
  void close();
}
