package io.github.amb.models.dl4j;

import static org.bytedeco.openblas.global.openblas.cblas_saxpy;
import static org.bytedeco.openblas.global.openblas.cblas_scopy;
import static org.bytedeco.openblas.global.openblas.cblas_sscal;

import io.github.amb.core.gradient.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.api.Layer;

/**
 * The gradient sum over partitions.
 *
 * <p>Accumulating layers keep their sum in the network's gradient vector. The other layers
 * overwrite their part of it at each partition; it is added here to a sum of its own. Running
 * statistics are added times the number of examples.
 */
final class GradientSum implements AutoCloseable {
  private final FloatPointer gradient;
  private final List<AccumulatingLayer> accumulating = new ArrayList<>();
  private final List<Range> overwritten = new ArrayList<>();
  private final FloatPointer sums;
  private int partitions;

  /** Contiguous entries of the gradient vector that each partition overwrites. */
  private record Range(
      FloatPointer source, FloatPointer sum, int offset, int length, boolean statistic) {}

  GradientSum(TrainableNetwork network) {
    gradient = NativeArrays.pointer(network.gradient());
    long start = network.parameters().offset();
    List<Block> blocks = new ArrayList<>();
    for (Layer layer : network.layers()) {
      if (layer instanceof AccumulatingLayer sumsItself) {
        accumulating.add(sumsItself);
      } else {
        blocks.addAll(ParameterLayout.blocks(layer, start));
      }
    }
    sums = new FloatPointer(blocks.stream().mapToLong(Block::length).sum());
    long position = 0;
    for (Block block : blocks) {
      overwritten.add(range(block, position));
      position += block.length();
    }
  }

  private Range range(Block block, long position) {
    return new Range(
        gradient.getPointer(block.offset()),
        sums.getPointer(position),
        block.offset(),
        block.length(),
        block.kind() == Block.Kind.RUNNING_STATISTIC);
  }

  /** Starts a new sum. */
  void begin() {
    partitions = 0;
  }

  /** To be called before a partition's backward pass. */
  void beforePartition() {
    for (AccumulatingLayer layer : accumulating) {
      layer.accumulate(partitions > 0);
    }
  }

  /**
   * Adds the gradient that a partition's backward pass left in the gradient vector.
   *
   * @param examples number of its examples
   */
  void add(int examples) {
    for (Range range : overwritten) {
      float factor = range.statistic ? examples : 1f;
      if (partitions > 0) {
        cblas_saxpy(range.length, factor, range.source, 1, range.sum, 1);
      } else {
        cblas_scopy(range.length, range.source, 1, range.sum, 1);
        if (range.statistic) {
          cblas_sscal(range.length, factor, range.sum, 1);
        }
      }
    }
    partitions++;
  }

  /**
   * Copies the sum out; all zeros if there was no partition.
   *
   * @param size number of entries of the gradient vector
   */
  void finish(float[] target, int size) {
    if (partitions == 0) {
      Arrays.fill(target, 0, size, 0f);
      return;
    }
    gradient.get(target, 0, size);
    for (Range range : overwritten) {
      range.sum.get(target, range.offset, range.length);
    }
  }

  @Override
  public void close() {
    sums.close();
  }
}
