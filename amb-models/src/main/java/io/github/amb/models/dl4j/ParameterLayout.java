package io.github.amb.models.dl4j;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.api.Layer;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Names the parts of a DL4J network's flat parameter vector. */
final class ParameterLayout {
  private ParameterLayout() {}

  /**
   * The layout of a network: blocks {@code layer.key}, such as {@code conv1.W}, in memory order.
   *
   * <p>A block's shape is its row-major shape in memory: [out, in] for a dense layer's W, and [out,
   * in, kernel height, kernel width] for a convolution's.
   */
  static Layout of(TrainableNetwork network) {
    List<Block> blocks = new ArrayList<>();
    long start = network.parameters().offset();
    network.layers().forEach(layer -> blocks.addAll(blocks(layer, start)));
    blocks.sort(Comparator.comparingInt(Block::offset));
    return new Layout(blocks);
  }

  /** Blocks of one layer, in no particular order. */
  static List<Block> blocks(Layer layer, long start) {
    Map<String, INDArray> parameters = layer.paramTable();
    if (parameters == null) {
      return List.of();
    }
    String name = layer.conf().getLayer().getLayerName();
    String prefix = name == null ? "layer" + layer.getIndex() : name;
    return parameters.entrySet().stream()
        .map(
            entry ->
                new Block(
                    prefix + "." + entry.getKey(),
                    kind(layer, entry.getKey()),
                    Math.toIntExact(entry.getValue().offset() - start),
                    rowMajorShape(entry.getValue())))
        .toList();
  }

  private static Block.Kind kind(Layer layer, String key) {
    if (!layer.updaterDivideByMinibatch(key)) {
      return Block.Kind.RUNNING_STATISTIC;
    }
    var configuration = layer.conf().getLayer();
    return configuration.initializer().isWeightParam(configuration, key)
        ? Block.Kind.WEIGHT
        : Block.Kind.BIAS;
  }

  private static int[] rowMajorShape(INDArray parameter) {
    long[] shape = parameter.shape();
    if (shape.length == 1 || shape.length == 2 && shape[0] == 1) {
      return new int[] {Math.toIntExact(parameter.length())};
    }
    int[] result = new int[shape.length];
    for (int i = 0; i < shape.length; i++) {
      int source = parameter.ordering() == 'f' ? shape.length - 1 - i : i;
      result[i] = Math.toIntExact(shape[source]);
    }
    return result;
  }
}
