package io.github.amb.models.export;

import static onnx.Onnx.TensorProto.DataType.FLOAT;
import static onnx.Onnx.TensorProto.DataType.INT64;

import io.github.amb.core.gradient.Block;
import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.NetworkGraph;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Node.Pooling.Kind;
import io.github.amb.models.graph.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import onnx.Onnx.AttributeProto;
import onnx.Onnx.AttributeProto.AttributeType;
import onnx.Onnx.GraphProto;
import onnx.Onnx.ModelProto;
import onnx.Onnx.NodeProto;
import onnx.Onnx.OperatorSetIdProto;
import onnx.Onnx.TensorProto;
import onnx.Onnx.TensorProto.DataType;
import onnx.Onnx.ValueInfoProto;
import org.nd4j.shade.protobuf.ByteString;

/**
 * A network as a model of ONNX (onnx.ai/onnx/operators), for any number of examples. {@code input}
 * has examples; {@code outputs} is the last value, such as logits, of which {@code predictions} is
 * a function.
 */
public final class OnnxModel {
  /** The key of the metadata that has the layers as {@link PortableNetwork#layers}. */
  public static final String LAYERS = "layers";

  /** The first one with group normalization. */
  private static final int OPSET = 21;

  /** That of ONNX 1.16, which has this set of operators. */
  private static final int IR_VERSION = 10;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("network");
  private final PortableNetwork network;

  private OnnxModel(PortableNetwork network) {
    this.network = network;
  }

  /**
   * Writes a network, of fewer than 2 GB.
   *
   * @param file a new file
   */
  public static void write(PortableNetwork network, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      new OnnxModel(network).model().writeTo(out);
    }
  }

  private ModelProto model() {
    for (Block block : network.layout().blocks()) {
      TensorProto.Builder tensor = tensor(block.name(), FLOAT, block.shape());
      for (int i = block.offset(); i < block.end(); i++) {
        tensor.addFloatData(network.values()[i]);
      }
    }
    NetworkGraph layers = network.graph();
    List<String> values = new ArrayList<>(List.of("input"));
    for (NetworkGraph.Vertex vertex : layers.vertices()) {
      List<String> inputs = IntStream.of(vertex.inputs()).mapToObj(values::get).toList();
      values.add(activated(vertex.node().activation(), value(vertex.node(), inputs)));
    }
    Shape last = layers.vertices().get(layers.vertices().size() - 1).node().shape();
    newest().setOutput(0, "outputs"); // An output layer is the last one.
    op(operator(network.predicts()), "outputs");
    newest().setOutput(0, "predictions");
    DataType type = PortableNetwork.takesTokens(layers) ? INT64 : FLOAT;
    describe(graph.addInputBuilder(), "input", type, layers.input());
    describe(graph.addOutputBuilder(), "outputs", FLOAT, last);
    describe(graph.addOutputBuilder(), "predictions", FLOAT, last);
    var model = ModelProto.newBuilder().setIrVersion(IR_VERSION).setProducerName("amb");
    model.addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET)).setGraph(graph);
    network.facts().forEach((k, v) -> model.addMetadataPropsBuilder().setKey(k).setValue(v));
    model.addMetadataPropsBuilder().setKey(LAYERS).setValue(network.layers());
    return model.build();
  }

  /** The operator that is called as a function is. */
  private static String operator(String function) {
    return function.toUpperCase(Locale.ROOT).charAt(0)
        + function.substring(1).toLowerCase(Locale.ROOT);
  }

  private static void describe(
      ValueInfoProto.Builder value, String name, DataType type, Shape shape) {
    var tensor = value.setName(name).getTypeBuilder().getTensorTypeBuilder();
    var sizes = tensor.setElemType(type.getNumber()).getShapeBuilder();
    sizes.addDimBuilder().setDimParam("examples");
    PortableNetwork.sizes(shape).forEach(size -> sizes.addDimBuilder().setDimValue(size));
  }

  private TensorProto.Builder tensor(String name, DataType type, int... sizes) {
    var tensor = graph.addInitializerBuilder().setName(name).setDataType(type.getNumber());
    IntStream.of(sizes).forEach(tensor::addDims);
    return tensor;
  }

  private String constant(double value) {
    String name = "constant" + graph.getInitializerCount();
    tensor(name, FLOAT).addFloatData((float) value);
    return name;
  }

  private String constants(long... values) {
    String name = "constant" + graph.getInitializerCount();
    LongStream.of(values).forEach(tensor(name, INT64, values.length)::addInt64Data);
    return name;
  }

  private String filled(double value, long... sizes) {
    return op("Expand", constant(value), constants(sizes));
  }

  /** Adds an operator; an input that is left out at the end may have an empty name. */
  private String op(String type, String... inputs) {
    String name = "value" + graph.getNodeCount();
    // ONNX Runtime 1.22 and 1.30 crash if a layer normalization names no bias in place of none.
    List<String> given = Stream.of(inputs).filter(input -> !input.isEmpty()).toList();
    graph.addNodeBuilder().setOpType(type).addAllInput(given).addOutput(name);
    return name;
  }

  private NodeProto.Builder newest() {
    return graph.getNodeBuilder(graph.getNodeCount() - 1);
  }

  /** Adds an attribute to the newest operator. */
  private AttributeProto.Builder attribute(String name, AttributeType type) {
    return newest().addAttributeBuilder().setName(name).setType(type);
  }

  private void integers(String name, long... values) {
    LongStream.of(values).forEach(attribute(name, AttributeType.INTS)::addInts);
  }

  private void integer(String name, long value) {
    attribute(name, AttributeType.INT).setI(value);
  }

  private void epsilon(double value) {
    attribute("epsilon", AttributeType.FLOAT).setF((float) value);
  }

  private String transposed(String x, long... order) {
    String y = op("Transpose", x);
    integers("perm", order);
    return y;
  }

  /** Adds the operators of a node without its activation; returns the name of its value. */
  private String value(Node node, List<String> inputs) {
    String x = inputs.get(0);
    String y;
    if (node instanceof Node.Elementwise || node instanceof Node.Dropout) {
      return x;
    } else if (node instanceof Node.Dense dense) {
      return dense(dense, x);
    } else if (node instanceof Node.Convolution conv) {
      y = op("Conv", x, network.name(conv.weights()), network.name(conv.bias()));
      window(conv.window(), true);
      integer("group", conv.depthwise() ? conv.input().channels() : 1);
    } else if (node instanceof Node.Pooling pooling) {
      KernelWindow window = pooling.window();
      // Apart, as ONNX Runtime 1.23 counts padding wrongly where its sides differ.
      boolean apart = pooling.kind() == Kind.MEAN_WITH_PADDING;
      long[] before = window.before();
      long[] after = window.after();
      long[] sides = {0, 0, before[0], before[1], 0, 0, after[0], after[1]};
      String all = apart ? op("Pad", x, constants(sides)) : x;
      y = op(pooling.kind() == Kind.MAX ? "MaxPool" : "AveragePool", all);
      window(window, !apart);
      return pooling.shape().isVector() ? op("Flatten", y) : y;
    } else if (node instanceof Node.Normalization norm) {
      int channels = norm.shape().channels();
      int mean = norm.statistics();
      String scale = norm.scaled() ? network.name(norm.offset()) : filled(1, channels);
      String shift = norm.scaled() ? network.name(norm.offset() + channels) : filled(0, channels);
      y =
          op(
              "BatchNormalization",
              x,
              scale,
              shift,
              network.name(mean),
              network.name(mean + channels));
      epsilon(norm.epsilon());
    } else if (node instanceof Node.GroupNormalization norm) {
      int shift = norm.offset() + norm.shape().channels();
      y = op("GroupNormalization", x, network.name(norm.offset()), network.name(shift));
      integer("num_groups", norm.groups());
      epsilon(norm.epsilon());
    } else if (node instanceof Node.LayerNormalization norm) {
      int shift = norm.shifted() ? norm.offset() + norm.shape().features() : -1;
      y = op("LayerNormalization", x, network.name(norm.offset()), network.name(shift));
      epsilon(norm.epsilon());
    } else if (node instanceof Node.Sum) {
      y = op("Add", x, inputs.get(1));
    } else if (node instanceof Node.Concatenation) {
      y = op("Concat", inputs.toArray(String[]::new));
      integer("axis", 1);
    } else if (node instanceof Node.Scale scale) {
      y = op("Mul", x, constant(scale.factor()));
    } else if (node instanceof Node.Padding pad) {
      y = op("Pad", x, constants(0, 0, pad.top(), pad.left(), 0, 0, pad.bottom(), pad.right()));
    } else if (node instanceof Node.Embedding embedding) {
      String end = constants(embedding.shape().positions());
      String all = network.name(embedding.places());
      String places = op("Slice", all, constants(0), end, constants(0));
      y = op("Add", op("Gather", network.name(embedding.tokens()), x), places);
    } else if (node instanceof Node.Patches patches) {
      String pixels = op("Reshape", x, constants(0, patches.planes().channels(), -1));
      y = op("Add", transposed(pixels, 0, 2, 1), network.name(patches.places()));
    } else if (node instanceof Node.SequenceMean) {
      y = op("ReduceMean", x, constants(1));
      integer("keepdims", 0);
    } else {
      y = attention((Node.Attention) node, x);
    }
    return y;
  }

  private String activated(Activation activation, String x) {
    if (activation == Activation.IDENTITY) {
      return x;
    } else if (activation == Activation.RELU6) {
      return op("Clip", x, constant(0), constant(6));
    }
    String y = op(operator(activation.name().replace("_TANH", "")), x);
    if (activation == Activation.GELU_TANH) {
      attribute("approximate", AttributeType.STRING).setS(ByteString.copyFromUtf8("tanh"));
    }
    return y;
  }

  private String dense(Node.Dense node, String x) {
    boolean planes = PortableNetwork.sizes(node.input()).size() == 3;
    String weights = transposed(network.name(node.weights()), 1, 0);
    String y = op("MatMul", planes ? op("Flatten", x) : x, weights);
    return node.bias() < 0 ? y : op("Add", y, network.name(node.bias()));
  }

  private void window(KernelWindow window, boolean padded) {
    integers("kernel_shape", window.kernel());
    integers("strides", window.stride());
    if (padded) {
      long[] before = window.before();
      integers("pads", before[0], before[1], window.after()[0], window.after()[1]);
    }
  }

  /** Values are [1, examples, heads, positions, features of a head]. */
  private String attention(Node.Attention node, String x) {
    int positions = node.shape().positions();
    int features = node.shape().features();
    int size = features / node.heads();
    String parts = op("Reshape", x, constants(-1, positions, 3, node.heads(), size));
    String turned = transposed(parts, 2, 0, 3, 1, 4);
    String keys = transposed(op("Gather", turned, constants(1)), 0, 1, 2, 4, 3);
    String products = op("MatMul", op("Gather", turned, constants(0)), keys);
    String scores = op("Mul", products, constant(1 / Math.sqrt(size)));
    if (node.causal()) {
      // The logarithm of 1 up to the diagonal, and of 0 above it.
      String mask = op("Trilu", filled(1, positions, positions));
      integer("upper", 0);
      scores = op("Add", scores, op("Log", mask));
    }
    String heads = op("MatMul", op("Softmax", scores), op("Gather", turned, constants(2)));
    return op("Reshape", transposed(heads, 0, 1, 3, 2, 4), constants(-1, positions, features));
  }
}
