package io.github.amb.models.network;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.FileFailure;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.SavedArchitecture;
import io.github.amb.models.export.OnnxModel;
import io.github.amb.models.export.PortableNetwork;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import onnx.Onnx.AttributeProto;
import onnx.Onnx.GraphProto;
import onnx.Onnx.ModelProto;
import onnx.Onnx.NodeProto;
import onnx.Onnx.StringStringEntryProto;
import onnx.Onnx.TensorProto;
import onnx.Onnx.TensorProto.DataLocation;
import onnx.Onnx.TensorProto.DataType;
import onnx.Onnx.ValueInfoProto;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.nd4j.linalg.activations.Activation;

/**
 * A network and its parameters in a file of ONNX: one that {@link OnnxModel} wrote by the layers
 * that it states, and one of another program by its operators, as PyTorch's exporter writes them
 * for perceptrons, convolutional and residual networks.
 */
final class OnnxNetwork {
  static final String SUFFIX = ".onnx";

  private static final int MAX_BYTES =
      Float.BYTES * DataLimits.NETWORK_PARAMETERS + DataLimits.NETWORK_JSON_BYTES;

  private static final int MAX_NODES = 1 << 14;
  private static final int MAX_WINDOW = 1 << 10;

  /** Attributes that must be 1, and 0. */
  private static final Set<String> ONES = Set.of("alpha", "axis", "beta", "dilations", "group");

  private static final Set<String> ZEROS = Set.of("ceil_mode", "training_mode", "transA");

  private final Requirements needs;
  private final GraphProto graph;
  private final Map<String, TensorProto> constants = new HashMap<>();
  private final Map<String, Node> values = new HashMap<>();

  /** The parameters, by the names of the arrays of a {@link PortableNetwork}. */
  private final Map<String, float[]> arrays = new HashMap<>();

  private final Map<String, List<NodeProto>> users = new HashMap<>();
  private final Deque<NodeProto> nodes = new ArrayDeque<>();
  private GraphBuilder builder;
  private Architecture built;
  private NodeProto node = NodeProto.getDefaultInstance();
  private Map<String, AttributeProto> attributes = Map.of();

  /** Name of the value that the current node makes, with one that is read with it. */
  private String result;

  /** Name of the value whose loss and function are those of the data. */
  private String output;

  private OnnxNetwork(GraphProto graph, Requirements needs) {
    this.graph = graph;
    this.needs = needs;
    graph.getInitializerList().forEach(each -> constants.put(each.getName(), each));
  }

  /**
   * Reads a file. The network starts from the parameters in it.
   *
   * @param needs a file of another program has no loss
   * @throws UsageException if it cannot be read, or has what no layer here computes
   */
  static Architecture read(Path file, Requirements needs) {
    try {
      byte[] bytes = BoundedFile.read(file, "a network in ONNX", MAX_BYTES);
      return read(file.toString(), bytes, needs);
    } catch (IOException e) {
      throw new UsageException("%s: cannot be read: %s", file, FileFailure.reason(e));
    }
  }

  /** As {@link #read(Path, Requirements)}, of a file's bytes. */
  static Architecture read(String source, byte[] bytes, Requirements needs) throws IOException {
    BoundedFile.requireMemory(source, 3L * bytes.length); // Its messages, too, and the arrays.
    ModelProto model = ModelProto.parseFrom(bytes);
    var reader = new OnnxNetwork(model.getGraph(), needs);
    try {
      Architecture network = reader.network(model.getMetadataPropsList());
      return network.startingFrom(PortableNetwork.parameters(network, reader.arrays));
    } catch (RuntimeException e) {
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      String all = source + ", for examples of " + needs.input() + ": " + reader.place() + problem;
      throw new UsageException("%s", Printable.printable(all.replace('\n', ' ')));
    }
  }

  private String place() {
    return node.getOutputCount() == 0
        ? ""
        : "node %s, operator %s: ".formatted(node.getOutput(0), node.getOpType());
  }

  private static void expect(boolean met, String what, Object found) {
    if (!met) {
      throw new IllegalArgumentException("expected %s, found %s".formatted(what, found));
    }
  }

  private Architecture network(List<StringStringEntryProto> facts) {
    for (StringStringEntryProto fact : facts) {
      if (fact.getKey().equals(OnnxModel.LAYERS)) {
        constants.values().stream()
            .filter(each -> each.getDataType() == DataType.FLOAT.getNumber())
            .forEach(each -> arrays.put(each.getName(), numbers(each)));
        int length = fact.getValue().length();
        expect(length <= DataLimits.NETWORK_JSON_BYTES, "layers in shorter JSON", length);
        return SavedArchitecture.parse(OnnxModel.LAYERS, fact.getValue(), needs.input());
      }
    }
    findNodes();
    addInput();
    while (!nodes.isEmpty()) {
      node = nodes.removeFirst();
      result = node.getOutput(0);
      attributes = new HashMap<>();
      node.getAttributeList().forEach(each -> attributes.put(each.getName(), each));
      String input = node.getInputCount() == 0 ? "" : node.getInput(0);
      if (node.getOpType().equals("Identity") && constants.containsKey(input)) {
        constants.put(result, constants.get(input));
      } else {
        Node layer = layer(values.get(input));
        values.put(result, layer);
      }
      attributes.forEach(OnnxNetwork::expectFixed);
    }
    node = NodeProto.getDefaultInstance();
    expect(built != null, "Gemm or MatMul as the last operator but for a function", "another");
    return built;
  }

  /** Finds the nodes that the first output needs, but for its function, and users of values. */
  private void findNodes() {
    int count = graph.getNodeCount();
    expect(count <= MAX_NODES && graph.getOutputCount() > 0, "an output of few nodes", count);
    output = graph.getOutput(0).getName();
    users.put(output, List.of());
    for (int i = count - 1; i >= 0; i--) {
      NodeProto each = graph.getNode(i);
      if (each.getOutputList().stream().anyMatch(users::containsKey)) {
        nodes.addFirst(each);
        boolean reshapes = each.getOpType().equals("Reshape"); // Its sizes are not looked at.
        for (String used : reshapes ? each.getInputList().subList(0, 1) : each.getInputList()) {
          users.computeIfAbsent(used, none -> new ArrayList<>()).add(each);
        }
      }
    }
    String function = nodes.isEmpty() ? "" : nodes.getLast().getOpType().toUpperCase(Locale.ROOT);
    if (function.replace("LOG", "").equals(needs.loss().activation().name())) {
      output = nodes.removeLast().getInput(0);
    }
  }

  private void addInput() {
    List<ValueInfoProto> inputs =
        graph.getInputList().stream().filter(i -> !constants.containsKey(i.getName())).toList();
    expect(inputs.size() == 1, "one input", inputs.size());
    String name = inputs.get(0).getName();
    Set<String> ofVectors = Set.of("Flatten", "Reshape", "Gemm", "MatMul");
    boolean images =
        inputs.get(0).getType().getTensorType().getShape().getDimCount() == 4
            && !users.getOrDefault(name, List.of()).stream()
                .allMatch(user -> ofVectors.contains(user.getOpType()));
    builder = images ? new GraphBuilder(needs) : GraphBuilder.ofVectors(needs);
    values.put(name, builder.input());
  }

  private TensorProto constant(int input) {
    TensorProto found = constants.get(node.getInput(input));
    expect(found != null, "a constant as input " + input, "another");
    return found;
  }

  private static float[] numbers(TensorProto tensor) {
    ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int found = raw.hasRemaining() ? raw.remaining() / Float.BYTES : tensor.getFloatDataCount();
    long count = tensor.getDimsList().stream().reduce(1L, Math::multiplyExact);
    boolean here = tensor.getDataLocation() != DataLocation.EXTERNAL;
    expect(
        here && tensor.getDataType() == DataType.FLOAT.getNumber() && found == count,
        "array %s of %d FLOAT in the file".formatted(tensor.getName(), count),
        here ? found + " of type " + tensor.getDataType() : "it in another file");
    float[] values = new float[found];
    for (int i = 0; i < found; i++) {
      values[i] = raw.hasRemaining() ? raw.getFloat() : tensor.getFloatData(i);
    }
    return values;
  }

  private static List<Long> integers(AttributeProto given) {
    return given.getIntsCount() == 0 ? List.of(given.getI()) : given.getIntsList();
  }

  /** The sizes of an attribute of a window. */
  private int[] sizes(String name, Long... usual) {
    AttributeProto given = attributes.remove(name);
    List<Long> found = given == null ? List.of(usual) : integers(given);
    boolean small = found.stream().allMatch(size -> size >= 0 && size <= MAX_WINDOW);
    expect(small && found.size() == usual.length, "small sizes as " + name, found);
    return found.stream().mapToInt(Long::intValue).toArray();
  }

  /** An attribute, as the decimal number that it was rounded from. */
  private double number(String name, double usual) {
    AttributeProto given = attributes.remove(name);
    return given == null ? usual : new BigDecimal(Float.toString(given.getF())).doubleValue();
  }

  private static void expectFixed(String name, AttributeProto given) {
    boolean real = given.getType() == AttributeProto.AttributeType.FLOAT;
    List<?> found = real ? List.of(given.getF()) : integers(given);
    float fixed = ONES.contains(name) ? 1 : ZEROS.contains(name) ? 0 : Float.NaN;
    boolean met = found.stream().allMatch(i -> ((Number) i).floatValue() == fixed);
    expect(met, Float.isNaN(fixed) ? "no " + name : name + " of " + fixed, found);
  }

  /** Adds the layer of the current node to its first input, which is null for a constant. */
  private Node layer(Node x) {
    String type = node.getDomain() + node.getOpType();
    String name = type.toLowerCase(Locale.ROOT) + values.size();
    expect(x != null, "the result of a layer as first input", "a constant, or none");
    return switch (type) {
      case "Identity", "Flatten" -> x;
      case "Reshape" -> reshaped(x);
      case "Conv" -> convolution(x, name);
      case "Gemm" -> dense(x, name, sizes("transB", 0L)[0] == 0, bias());
      case "MatMul" -> dense(x, name, true, added());
      case "MaxPool" -> x.maxPool(name, window(sizes("kernel_shape", 0L, 0L)));
      case "AveragePool" -> average(x, name);
      case "GlobalAveragePool" -> x.then(name, new GlobalPoolingLayer(PoolingType.AVG));
      case "BatchNormalization" -> normalization(x, name);
      case "Relu" -> x.activation(name, Activation.RELU.getActivationFunction());
      case "Sigmoid" -> x.activation(name, Activation.SIGMOID.getActivationFunction());
      case "Tanh" -> x.activation(name, Activation.TANH.getActivationFunction());
      case "Add" -> x.plus(name, all()[1]);
      case "Concat" -> builder.concatenation(name, all());
      default ->
          throw new IllegalArgumentException(
              "expected an operator that layers here compute, found another");
    };
  }

  private Node[] all() {
    Node[] all = node.getInputList().stream().map(values::get).toArray(Node[]::new);
    expect(!Arrays.asList(all).contains(null), "results of layers", "a constant");
    return all;
  }

  /** Sizes of vectors are right if weights have as many. */
  private Node reshaped(Node x) {
    List<String> next = users.get(result).stream().map(NodeProto::getOpType).toList();
    expect(List.of("Gemm", "MatMul").containsAll(next), "vectors for Gemm or MatMul", next);
    attributes.remove("allowzero");
    return x;
  }

  private Window window(int... kernel) {
    int[] stride = sizes("strides", 1L, 1L);
    int[] pads = sizes("pads", 0L, 0L, 0L, 0L);
    boolean even = stride[0] == stride[1] && pads[0] == pads[2] && pads[1] == pads[3];
    expect(even, "one stride, and as much padding on both sides", "others");
    return new Window(kernel[0], kernel[1], stride[0], pads[0], pads[1]);
  }

  private Node average(Node x, String name) {
    Window window = window(sizes("kernel_shape", 0L, 0L));
    boolean counted = sizes("count_include_pad", 0L)[0] == 1;
    expect(counted || window.padTop() + window.padLeft() == 0, "no padding", "some, not counted");
    return x.averagePool(name, window);
  }

  private Node convolution(Node x, String name) {
    List<Long> kernel = constant(1).getDimsList();
    expect(kernel.size() == 4, "a kernel of four sizes", kernel);
    Window window = window(sizes("kernel_shape", kernel.get(2), kernel.get(3)));
    float[] bias = bias();
    define(name, numbers(constant(1)), bias);
    return x.convolution(name, window, Math.toIntExact(kernel.get(0)), bias != null);
  }

  private void define(String layer, float[] weights, float[] bias) {
    arrays.put(layer + ".weight", weights);
    arrays.put(layer + ".bias", bias);
    boolean once = users.get(node.getInput(1)).size() == 1;
    expect(once, "weights of one layer", node.getInput(1) + " in others, too");
  }

  private float[] bias() {
    return node.getInputCount() > 2 ? numbers(constant(2)) : null;
  }

  private Node normalization(Node x, String name) {
    double decay = number("momentum", 0.9);
    double epsilon = number("epsilon", 1e-5);
    List<String> names = List.of(".weight", ".bias", ".running_mean", ".running_var");
    IntStream.range(0, names.size())
        .forEach(i -> arrays.put(name + names.get(i), numbers(constant(i + 1))));
    return x.then(name, new BatchNormalization.Builder().decay(decay).eps(epsilon).build());
  }

  /** The constant that the next node adds, if it alone takes this one's result; null otherwise. */
  private float[] added() {
    NodeProto next = users.get(result).size() == 1 ? users.get(result).get(0) : node;
    TensorProto bias = constants.get(next.getInput(next.getInput(0).equals(result) ? 1 : 0));
    if (bias == null || !next.getOpType().equals("Add")) {
      return null;
    }
    nodes.remove(next);
    result = next.getOutput(0);
    return numbers(bias);
  }

  /**
   * Adds a fully connected layer, which is the output if nothing follows.
   *
   * @param turned whether weights are [in, out]
   */
  private Node dense(Node x, String name, boolean turned, float[] bias) {
    float[] given = numbers(constant(1));
    List<Long> sizes = constant(1).getDimsList();
    expect(sizes.size() == 2, "a matrix", sizes);
    int out = (int) (long) sizes.get(turned ? 1 : 0);
    float[] rows = given.clone();
    for (int i = 0; turned && i < given.length; i++) {
      rows[i % out * (given.length / out) + i / out] = given[i];
    }
    define(name, rows, bias);
    if (!result.equals(output)) {
      var layer = new DenseLayer.Builder().nOut(out).activation(Activation.IDENTITY);
      return x.then(name, layer.hasBias(bias != null).build());
    }
    built = x.softmax(name, bias != null);
    return x;
  }
}
