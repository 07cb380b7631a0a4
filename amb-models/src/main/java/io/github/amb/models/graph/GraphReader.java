package io.github.amb.models.graph;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.deeplearning4j.nn.conf.graph.ElementWiseVertex;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.graph.ScaleVertex;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.preprocessor.CnnToFeedForwardPreProcessor;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;

/** Reads DL4J's configuration of a network, with {@link LayerReader} for its layers. */
public final class GraphReader {
  private final Architecture architecture;
  private final Map<String, Integer> values = new HashMap<>();
  private final List<NetworkGraph.Vertex> vertices = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final Map<String, Long> uses;
  private final Shape input;
  private int parameters;
  private boolean separable = true;

  private GraphReader(Architecture architecture) {
    this.architecture = architecture;
    ImageShape image = architecture.input();
    input =
        architecture.flat()
            ? Shape.vector(image.size())
            : new Shape(image.channels(), image.height(), image.width());
    uses =
        architecture.stages().stream()
            .flatMap(stage -> stage.inputs().stream())
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
  }

  /** The network; empty if it has a layer that is not supported here. */
  public static Optional<NetworkGraph> read(Architecture architecture) {
    return new GraphReader(architecture).read();
  }

  private Optional<NetworkGraph> read() {
    List<Architecture.Stage> stages = architecture.stages();
    for (Architecture.Stage stage : stages) {
      if (!isKnown(stage)) {
        return Optional.empty();
      }
    }
    boolean ends = values.get(stages.get(stages.size() - 1).name()) == vertices.size();
    return ends && endsInOutput(stages)
        ? Optional.of(new NetworkGraph(input, vertices, new Layout(blocks), separable))
        : Optional.empty();
  }

  private static boolean endsInOutput(List<Architecture.Stage> stages) {
    var last = stages.get(stages.size() - 1).layer();
    return last != null && last.getLayer() instanceof BaseOutputLayer;
  }

  private Shape shapeOf(int value) {
    return value == 0 ? input : vertices.get(value - 1).node().shape();
  }

  private int[] inputs(Architecture.Stage stage) {
    return stage.inputs().isEmpty()
        ? new int[] {0}
        : stage.inputs().stream().mapToInt(values::get).toArray();
  }

  private void add(String name, Node node, int... inputs) {
    vertices.add(new NetworkGraph.Vertex(node, inputs));
    values.put(name, vertices.size());
  }

  /** Adds a stage to the graph; false if it is not supported. */
  private boolean isKnown(Architecture.Stage stage) {
    int[] inputs = inputs(stage);
    if (stage.layer() == null) {
      Optional<Node> node = vertex(stage.vertex(), inputs);
      node.ifPresent(known -> add(stage.name(), known, inputs));
      return node.isPresent();
    }
    boolean reshapes =
        stage.preProcessor() == null
            || stage.preProcessor() instanceof CnnToFeedForwardPreProcessor
            || stage.preProcessor() instanceof FeedForwardToCnnPreProcessor && inputs[0] == 0;
    return reshapes && inputs.length == 1 && isKnownLayer(stage, inputs[0]);
  }

  private Optional<Node> vertex(GraphVertex vertex, int[] inputs) {
    Shape shape = shapeOf(inputs[0]);
    if (vertex instanceof ElementWiseVertex sum) {
      return sum.getOp() == ElementWiseVertex.Op.Add && inputs.length == 2
          ? Optional.of(new Node.Sum(shape, Activation.IDENTITY))
          : Optional.empty();
    }
    if (vertex instanceof ScaleVertex scale) {
      return Optional.of(new Node.Scale(shape, (float) scale.getScaleFactor()));
    }
    if (vertex instanceof MergeVertex merge && merge.getMergeAxis() == 1 && !shape.isVector()) {
      int channels = Arrays.stream(inputs).map(input -> shapeOf(input).channels()).sum();
      Shape all = new Shape(channels, shape.height(), shape.width());
      return Optional.of(new Node.Concatenation(all));
    }
    return Optional.empty();
  }

  private boolean isKnownLayer(Architecture.Stage stage, int value) {
    Layer layer = stage.layer().getLayer();
    if (layer instanceof ActivationLayer activation) {
      return isKnownActivation(stage, activation, value);
    }
    String name = layer.getLayerName() == null ? "layer" + stage.name() : layer.getLayerName();
    Optional<List<Node>> nodes =
        new LayerReader(name, shapeOf(value), parameters, blocks).read(layer);
    if (nodes.isEmpty()) {
      return false;
    }
    int from = value;
    for (Node node : nodes.get()) {
      add(stage.name(), node, from);
      from = vertices.size();
    }
    if (nodes.get().isEmpty()) {
      values.put(stage.name(), value);
    }
    parameters = blocks.stream().mapToInt(block -> block.offset() + block.length()).max().orElse(0);
    separable &= !(layer instanceof BatchNormalization);
    return true;
  }

  /** Merges an activation into the preceding vertex if possible, otherwise adds a vertex. */
  private boolean isKnownActivation(Architecture.Stage stage, ActivationLayer layer, int value) {
    Optional<Activation> activation = Activation.alone(layer.getActivationFn());
    if (activation.isEmpty() || layer.getIDropout() != null) {
      return false;
    }
    boolean only =
        value > 0
            && value == vertices.size()
            && stage.inputs().size() == 1
            && uses.get(stage.inputs().get(0)) == 1
            && activation.get().hasDerivativeOfResult()
            && vertices.get(value - 1).node().activation() == Activation.IDENTITY;
    Node joined = only ? vertices.get(value - 1).node().followedBy(activation.get()) : null;
    if (joined == null) {
      add(stage.name(), new Node.Elementwise(shapeOf(value), activation.get()), value);
    } else {
      vertices.set(value - 1, new NetworkGraph.Vertex(joined, vertices.get(value - 1).inputs()));
      values.put(stage.name(), value);
    }
    return true;
  }
}
