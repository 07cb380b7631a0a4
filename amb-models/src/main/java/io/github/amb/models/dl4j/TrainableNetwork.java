package io.github.amb.models.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.Layer;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The interface between a gradient source and a DL4J network of either kind. */
public interface TrainableNetwork extends AutoCloseable {
  /** Layers in the order of the flat parameter vector. */
  List<Layer> layers();

  /** The flat parameter vector; writing to it changes the network. */
  INDArray parameters();

  /** The flat gradient vector, overwritten by {@link #computeGradient}. */
  INDArray gradient();

  /**
   * Performs one forward and backward pass; {@link #gradient()} is then the gradient sum.
   *
   * @param input features; the first dimension is examples
   * @param labels one-hot, [examples, classes], or targets, [examples, 1]
   * @return the sum of the examples' losses
   */
  double computeGradient(INDArray input, INDArray labels);

  /**
   * Class probabilities, [examples, classes], or predicted numbers, [examples, 1].
   *
   * @param input features; the first dimension is examples
   * @param workspace open workspace that holds the result
   */
  INDArray output(INDArray input, MemoryWorkspace workspace);

  @Override
  void close();
}
