package io.github.amb.models.export;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.graph.GraphReader;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A trained network whose arrays have the names, shapes and values of PyTorch's modules. They have
 * the places of the parameters that they are made of.
 *
 * @param graph its layers
 * @param layout of the arrays, with names such as {@code conv1.weight}
 * @param values the arrays; not copied
 * @param predicts the function of the last value that makes predictions, such as softmax
 * @param facts what readers should know, by name
 * @param layers as {@link Architecture#toJson} has them
 */
public record PortableNetwork(
    NetworkGraph graph,
    Layout layout,
    float[] values,
    String predicts,
    Map<String, String> facts,
    String layers) {
  private static final String DEVIATION = "log10stdev";

  /**
   * A network with its parameters.
   *
   * @param parameters the flat vector; not modified
   * @param facts what readers should know, by name
   * @throws UsageException if a layer is one that only DL4J computes, or names are too alike
   */
  public static PortableNetwork of(
      Architecture architecture, float[] parameters, Map<String, String> facts) {
    NetworkGraph graph = graph(architecture);
    Set<Integer> depthwise = depthwise(graph);
    float[] values = parameters.clone();
    Set<String> names = new HashSet<>();
    List<Block> blocks = new ArrayList<>();
    for (Block block : graph.layout().blocks()) {
      boolean turned = depthwise.contains(block.offset());
      int[] shape = turned ? turn(block, values) : block.shape();
      if (block.name().endsWith(DEVIATION)) {
        for (int i = block.offset(); i < block.end(); i++) {
          values[i] = (float) Math.pow(10, 2.0 * values[i]);
        }
      }
      Block named = new Block(name(block.name()), block.kind(), block.offset(), shape);
      if (!names.add(named.name())) {
        throw new UsageException(
            "%s: expected layers whose names differ in letters and digits, found another %s",
            block.name(), named.name());
      }
      blocks.add(named);
    }
    Map<String, String> all = new TreeMap<>(facts);
    String numbers = takesTokens(graph) ? "tokens" : "pixels from 0 to 1, or features";
    all.put("input", sizes(graph.input()) + " " + numbers);
    return new PortableNetwork(
        graph, new Layout(blocks), values, architecture.predicts(), all, architecture.toJson());
  }

  /**
   * The flat vector of a network; the inverse of {@link #of}.
   *
   * @param arrays by their names; not modified
   * @throws UsageException if an array is missing, has another size, or a number that is not finite
   */
  public static float[] parameters(Architecture architecture, Map<String, float[]> arrays) {
    NetworkGraph graph = graph(architecture);
    for (Block block : graph.layout().blocks()) {
      String name = name(block.name());
      float[] found = arrays.getOrDefault(name, new float[0]);
      if (found.length != block.length() || Finite.firstBad(found, 0, found.length) >= 0) {
        throw new UsageException(
            "expected array %s of %d finite numbers, found %s",
            name, block.length(), found.length == block.length() ? "others" : found.length);
      }
    }
    Set<Integer> depthwise = depthwise(graph);
    float[] all = new float[graph.layout().size()];
    for (Block block : graph.layout().blocks()) {
      float[] found = arrays.get(name(block.name()));
      boolean variance = block.name().endsWith(DEVIATION);
      int[] sizes = block.shape();
      int window = depthwise.contains(block.offset()) ? sizes[0] * sizes[1] : 1;
      int outputs = found.length / window;
      for (int i = 0; i < found.length; i++) {
        float value = window == 1 ? found[i] : found[i % outputs * window + i / outputs];
        all[block.offset() + i] =
            variance ? (float) (Math.log10(Math.max(value, Float.MIN_VALUE)) / 2) : value;
      }
    }
    return all;
  }

  private static NetworkGraph graph(Architecture architecture) {
    String problem =
        "expected layers that oneDNN computes, found one that only DL4J has; export the run as dl4j,"
            + " npz or safetensors";
    return GraphReader.read(architecture).orElseThrow(() -> new UsageException(problem));
  }

  /** Places of the kernels of depthwise convolutions. */
  private static Set<Integer> depthwise(NetworkGraph graph) {
    Set<Integer> places = new HashSet<>();
    for (NetworkGraph.Vertex vertex : graph.vertices()) {
      if (vertex.node() instanceof Node.Convolution node && node.depthwise()) {
        places.add(node.weights());
      }
    }
    return places;
  }

  /**
   * Turns depthwise kernels from [height, width, in, out / in] to the shape that is returned, [out,
   * 1, height, width].
   */
  private static int[] turn(Block block, float[] values) {
    int[] from = block.shape();
    int window = from[0] * from[1];
    int out = from[2] * from[3];
    float[] old = Arrays.copyOfRange(values, block.offset(), block.end());
    for (int i = 0; i < old.length; i++) {
      values[block.offset() + i % out * window + i / out] = old[i];
    }
    return new int[] {out, 1, from[0], from[1]};
  }

  /**
   * The name of a parameter {@code layer.key}: the layer's, if nothing else of a module can have
   * it, and the key's. Vectors of positions are no module's.
   */
  private static String name(String parameter) {
    int dot = parameter.lastIndexOf('.');
    String layer = parameter.substring(0, dot).replaceAll("\\W", "_");
    String module = layer.matches("[a-zA-Z]\\w*\\d\\w*") ? layer : "layer_" + layer;
    return switch (parameter.substring(dot + 1)) {
      case "W", "gamma" -> module + ".weight";
      case "b", "beta" -> module + ".bias";
      case "mean" -> module + ".running_mean";
      case DEVIATION -> module + ".running_var";
      default -> module + "_positions";
    };
  }

  /** The name of the array at a place, such as {@code conv1.weight}; empty if the place is −1. */
  String name(int place) {
    return place < 0 ? "" : layout.blockAt(place).name();
  }

  /** Whether the input has tokens. */
  static boolean takesTokens(NetworkGraph graph) {
    return graph.vertices().get(0).node() instanceof Node.Embedding;
  }

  /** Sizes of a value of one example. */
  static List<Integer> sizes(Shape shape) {
    return shape.isVector()
        ? List.of(shape.channels())
        : shape.isSequence()
            ? List.of(shape.positions(), shape.features())
            : List.of(shape.channels(), shape.height(), shape.width());
  }
}
