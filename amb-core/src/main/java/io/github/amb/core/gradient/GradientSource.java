package io.github.amb.core.gradient;

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
  void initialise(long seed, float[] parameters);

  /**
   * Starts a gradient sum at the given parameters.
   *
   * @param parameters at least {@code layout().size()} entries; not modified, not kept
   * @param drawSeed seed of whatever the model draws at random during this sum, such as dropout
   */
  void begin(float[] parameters, long drawSeed);

  /**
   * Adds the gradients of the losses of training examples {@code examples[from]} to {@code
   * examples[to − 1]}.
   *
   * <p>In blocks of kind {@link Block.Kind#RUNNING_STATISTIC} the update of this slice is added
   * times the number of its examples, so that dividing by all examples averages it.
   *
   * @param examples indices of training examples; not modified
   * @return the sum of the examples' losses
   */
  double accumulate(int[] examples, int from, int to);

  /**
   * Ends the sum.
   *
   * @param gradient receives the sum, {@code layout().size()} entries; modified
   */
  void finish(float[] gradient);

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
