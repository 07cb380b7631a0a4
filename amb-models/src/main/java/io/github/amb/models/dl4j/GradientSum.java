package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The gradient sum over partitions. Each partition overwrites the network's gradient vector, which
 * is added to a separate sum here. Running statistics are multiplied by the number of examples.
 */
final class GradientSum implements AutoCloseable {
  private final INDArray gradient;
  private final List<INDArray> statistics;
  private final INDArray sum;
  private int partitions;

  /**
   * @param layout of the gradient vector
   */
  GradientSum(TrainableNetwork network, Layout layout) {
    INDArray vector = network.gradient();
    gradient = vector.reshape(vector.length());
    sum = Nd4j.createUninitialized(DataType.FLOAT, layout.size());
    statistics =
        layout.blocks().stream()
            .filter(block -> block.kind() == Block.Kind.RUNNING_STATISTIC)
            .map(block -> NDArrayIndex.interval(block.offset(), block.offset() + block.length()))
            .map(gradient::get)
            .toList();
  }

  /** Starts a new sum. */
  void begin() {
    partitions = 0;
  }

  /**
   * Adds the gradient that a partition's backward pass left in the gradient vector.
   *
   * @param examples number of its examples
   */
  void add(int examples) {
    statistics.forEach(update -> update.muli(examples));
    if (partitions++ > 0) {
      sum.addi(gradient);
    } else {
      sum.assign(gradient);
    }
  }

  /**
   * Copies the sum, or zeros if there was no partition.
   *
   * @param target as long as the gradient vector; modified
   */
  void finish(FloatBuffer target) {
    if (partitions == 0) {
      sum.assign(0);
    }
    target.put(0, sum.data().asFloat());
  }

  @Override
  public void close() {
    sum.close();
  }
}
