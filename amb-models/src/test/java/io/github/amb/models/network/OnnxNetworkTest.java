package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Loss;
import io.github.amb.models.onednn.OneDnnGradientSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import onnx.Onnx.GraphProto;
import onnx.Onnx.ModelProto;
import onnx.Onnx.NodeProto;
import onnx.Onnx.TensorProto.DataLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Networks in files of PyTorch, which {@code src/test/python/onnx_files.py} has made. {@code
 * OnnxModelTest} reads those that this program writes.
 */
class OnnxNetworkTest {
  private static final ImageShape SHAPE = new ImageShape(1, 8, 8);
  private static final int EXAMPLES = 5;
  private static final int CLASSES = 10;

  /** Of predictions, and of the largest output. */
  private static final double TOLERANCE = 1e-5;

  private static Requirements needs(Loss loss) {
    return needs(SHAPE, loss);
  }

  private static Requirements needs(ImageShape shape, Loss loss) {
    Targets targets = loss == Loss.MSE ? Targets.NUMBERS : Targets.CLASS;
    return new Requirements(shape, CLASSES, Norm.NONE, targets, loss);
  }

  private static byte[] bytes(String name) throws IOException {
    String resource = "/onnx/" + name + ".onnx";
    try (InputStream in = OnnxNetworkTest.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "perceptron",
        "perceptron-softmax",
        "lenet",
        "residual",
        "residual-folded",
        "branches"
      })
  void networksHaveTheOutputsOfOnnxRuntime(String name) throws Exception {
    float[][] examples = new float[EXAMPLES][SHAPE.size()];
    float[] all = new float[EXAMPLES * SHAPE.size()];
    Random random = new Random(ModelSeeds.of(5));
    for (int i = 0; i < all.length; i++) {
      all[i] = (float) random.nextGaussian();
      examples[i / SHAPE.size()][i % SHAPE.size()] = all[i];
    }
    var labelled = new FloatExamples(all, new byte[EXAMPLES]);
    DataSet data = new DataSet("sample", SHAPE, CLASSES, labelled, labelled);
    Architecture network = OnnxNetwork.read(name, bytes(name), needs(Loss.MCXENT));
    try (OneDnnGradientSource source = OneDnnGradientSource.of(network, data).orElseThrow()) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      source.use(parameters);
      float[] theirs = outputs(bytes(name), all);
      float[] outputs = source.outputs(examples);
      float[] predictions = source.predictions(examples);
      double largest = values(theirs).map(Math::abs).max().orElseThrow();
      for (int row = 0; row < EXAMPLES * CLASSES; row += CLASSES) {
        int first = row;
        double sum = values(theirs).skip(first).limit(CLASSES).map(Math::exp).sum();
        for (int i = first; i < first + CLASSES; i++) {
          boolean softmax = name.endsWith("softmax");
          double expected = softmax ? theirs[i] : Math.exp(theirs[i]) / sum;
          assertEquals(expected, predictions[i], TOLERANCE);
          if (!softmax && !name.equals("lenet")) { // Which ends in log-softmax.
            assertEquals(theirs[i], outputs[i], TOLERANCE * largest);
          }
        }
      }
    }
  }

  private static DoubleStream values(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]);
  }

  private static float[] outputs(byte[] model, float[] input) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    long[] shape = {EXAMPLES, SHAPE.channels(), SHAPE.height(), SHAPE.width()};
    try (OrtSession session = environment.createSession(model);
        OnnxTensor tensor = OnnxTensor.createTensor(environment, FloatBuffer.wrap(input), shape);
        OrtSession.Result result = session.run(Map.of("input", tensor))) {
      return ((OnnxTensor) result.get(0)).getFloatBuffer().array();
    }
  }

  /** Numbers are predicted by the last layer itself, and labels by a sigmoid of it. */
  @Test
  void theLossFollowsTheData() throws IOException {
    Architecture numbers = OnnxNetwork.read("a", bytes("perceptron"), needs(Loss.MSE));
    assertEquals(Loss.MSE, numbers.loss());
    Architecture labels = OnnxNetwork.read("a", bytes("perceptron"), needs(Loss.XENT));
    assertEquals("sigmoid", labels.predicts());
    String problem = problem("perceptron-softmax", Loss.MSE, graph -> {});
    assertTrue(problem.contains("operator Softmax: expected"), problem);
  }

  private static String problem(String name, Loss loss, Consumer<GraphProto.Builder> change)
      throws IOException {
    ModelProto.Builder model = ModelProto.parseFrom(bytes(name)).toBuilder();
    change.accept(model.getGraphBuilder());
    byte[] changed = model.build().toByteArray();
    return assertThrows(
            UsageException.class, () -> OnnxNetwork.read("mine.onnx", changed, needs(loss)))
        .getMessage();
  }

  private static NodeProto.Builder first(GraphProto.Builder graph, String operator) {
    return graph.getNodeBuilderList().stream()
        .filter(node -> node.getOpType().equals(operator))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "Relu, Elu, 'operator Elu: expected'",
    "Conv, ConvTranspose, 'operator ConvTranspose: expected'",
    "MaxPool, LpPool, 'operator LpPool: expected'",
    "Reshape, Identity, 'operator Shape: expected'"
  })
  void anOperatorThatNoLayerComputesIsNamed(String from, String to, String expected)
      throws IOException {
    String problem = problem("lenet", Loss.MCXENT, graph -> first(graph, from).setOpType(to));
    assertTrue(problem.contains(expected), problem);
    assertEquals(1, problem.lines().count());
  }

  @ParameterizedTest
  @CsvSource({"dilations, 2", "group, 3", "pads, 2000000000", "unknown, 1"})
  void anAttributeThatNoLayerHasIsNamed(String attribute, long value) throws IOException {
    String problem =
        problem(
            "lenet",
            Loss.MCXENT,
            graph -> {
              NodeProto.Builder node = first(graph, "Conv");
              for (int i = node.getAttributeCount() - 1; i >= 0; i--) {
                if (node.getAttribute(i).getName().equals(attribute)) {
                  node.removeAttribute(i);
                }
              }
              node.addAttributeBuilder().setName(attribute).addInts(value).addInts(value);
            });
    assertTrue(problem.contains("operator Conv: expected"), problem);
  }

  @Test
  void arraysOfAnotherFileAreRejected() throws IOException {
    String problem =
        problem(
            "lenet",
            Loss.MCXENT,
            graph -> graph.getInitializerBuilder(0).setDataLocation(DataLocation.EXTERNAL));
    assertTrue(problem.contains("conv1.weight"), problem);
  }

  /** A file of this program states its layers. */
  @ParameterizedTest
  @CsvSource({"{}, 'layers: expected a network as DL4J writes it'", "LONG, 'in shorter JSON'"})
  void statedLayersThatAreNoneAreRejected(String json, String expected) throws IOException {
    ModelProto.Builder model = ModelProto.parseFrom(bytes("lenet")).toBuilder();
    String value = json.replace("LONG", " ".repeat(DataLimits.NETWORK_JSON_BYTES + 1));
    model.addMetadataPropsBuilder().setKey("layers").setValue(value);
    byte[] changed = model.build().toByteArray();
    var error =
        assertThrows(
            UsageException.class, () -> OnnxNetwork.read("mine.onnx", changed, needs(Loss.MCXENT)));
    assertTrue(error.getMessage().contains(expected), error.getMessage());
  }

  @Test
  void imagesOfAnotherSizeAreRejected() throws IOException {
    byte[] lenet = bytes("lenet");
    var error =
        assertThrows(
            UsageException.class,
            () ->
                OnnxNetwork.read(
                    "mine.onnx", lenet, needs(new ImageShape(1, 12, 12), Loss.MCXENT)));
    assertTrue(error.getMessage().contains("finite numbers, found 36"), error.getMessage());
  }

  @Test
  void namesWithLineFeedsAreOneLine() throws IOException {
    ModelProto.Builder model = ModelProto.parseFrom(bytes("perceptron")).toBuilder();
    int last = model.getGraph().getNodeCount() - 1;
    model.getGraphBuilder().getNodeBuilder(last).setOutput(0, "a\nb").setOpType("A\nB");
    model.getGraphBuilder().getOutputBuilder(0).setName("a\nb");
    byte[] changed = model.build().toByteArray();
    var error =
        assertThrows(
            UsageException.class, () -> OnnxNetwork.read("mine.onnx", changed, needs(Loss.MCXENT)));
    assertEquals(1, error.getMessage().lines().count(), error.getMessage());
  }

  @Property(tries = 1000)
  void aDamagedFileIsReadOrRejectedInOneLine(
      @ForAll @IntRange(max = 3) int file,
      @ForAll @Size(min = 1, max = 3) int @IntRange(max = 100_000) [] bits)
      throws IOException {
    byte[] bytes = bytes(new String[] {"lenet", "residual", "branches", "perceptron"}[file]);
    for (int bit : bits) {
      int position = Math.floorMod(bit, bytes.length * 8);
      bytes[position / 8] ^= (byte) (1 << position % 8);
    }
    try {
      OnnxNetwork.read("fuzz", bytes, needs(Loss.MCXENT));
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith("fuzz, for examples of 1x8x8: "), e.getMessage());
      assertEquals(1, e.getMessage().lines().count());
    } catch (IOException e) {
      // No messages of the format: the caller names the file.
    }
  }
}
