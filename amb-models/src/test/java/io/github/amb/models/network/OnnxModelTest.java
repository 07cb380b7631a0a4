package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.export.OnnxModel;
import io.github.amb.models.export.PortableNetwork;
import io.github.amb.models.graph.GraphReader;
import io.github.amb.models.onednn.SampleNetworks;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Outputs of exported networks by ONNX Runtime next to oneDNN's. */
class OnnxModelTest {
  @TempDir Path directory;

  static Stream<Arguments> samples() {
    return ExportedNetwork.samples();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  void eachKindOfLayerHasTheSameOutputs(String name, Architecture network) throws Exception {
    compare(ExportedNetwork.sample(network));
  }

  @Tag("system")
  @ParameterizedTest
  @CsvSource({
    "logistic-regression, none, 1, 28",
    "linear-regression, none, 1, 5",
    "'mlp:20,10', none, 1, 6",
    "'cnn:4,8', batch, 3, 12",
    "sigmoid-mlp, none, 1, 28",
    "toy-fc, none, 1, 10",
    "toy-conv, none, 1, 10",
    "lenet, none, 1, 28",
    "mnist-cnn, batch, 1, 28",
    "mnist-cnn, group, 1, 28",
    "adacomp-cnn, none, 1, 28",
    "cifar10-cnn, batch, 3, 32",
    "resnet32, batch, 3, 16",
    "'vit:2,2,16,4', none, 3, 16",
    "mobilenet-v2, batch, 1, 48",
    "nano-gpt, none, 0, 64",
    "'gpt:2,3,24,20,bias', none, 0, 17"
  })
  void smallNetworksHaveTheSameOutputs(String network, String norm, int channels, int side)
      throws Exception {
    compare(ExportedNetwork.listed(network, norm, channels, side));
  }

  @Tag("claims")
  @ParameterizedTest
  @CsvSource({
    "resnet18, batch, 3, 32",
    "resnet18, group, 3, 32",
    "resnet50, batch, 3, 32",
    "resnet110, batch, 3, 32",
    "resnet152, batch, 3, 32",
    "wrn-28-2, batch, 3, 32",
    "vgg11, batch, 3, 32",
    "vgg13, batch, 3, 32",
    "vgg16, batch, 3, 32",
    "vgg19, batch, 3, 32",
    "resnet18-v1, batch, 1, 64",
    "resnet50-v1, batch, 1, 64",
    "resnet50-v2, batch, 1, 64",
    "mobilenet-v1, batch, 1, 64",
    "alexnet, none, 1, 64",
    "inception-v3, batch, 1, 107"
  })
  void largeNetworksHaveTheSameOutputs(String network, String norm, int channels, int side)
      throws Exception {
    compare(ExportedNetwork.listed(network, norm, channels, side));
  }

  /** A name of a module can be neither a keyword of Python nor that of one of its functions. */
  @Test
  void arraysHaveNamesOfModules() {
    var network = ExportedNetwork.listed("gpt:1,2,8,6,bias", "none", 0, 5).network();
    List<String> names = network.layout().blocks().stream().map(Block::name).toList();
    assertEquals(
        List.of(
            "layer_embedding.weight",
            "layer_embedding_positions",
            "block1_norm1.weight",
            "block1_norm1.bias",
            "block1_qkv.weight",
            "block1_qkv.bias"),
        names.subList(0, 6));
  }

  @Test
  void layersOfTheSameNameAreRejected() {
    Architecture network =
        SampleNetworks.images(SampleNetworks.wide("fc-1", 5), SampleNetworks.wide("fc_1", 5));
    float[] parameters = new float[GraphReader.read(network).orElseThrow().layout().size()];
    var error =
        assertThrows(UsageException.class, () -> PortableNetwork.of(network, parameters, Map.of()));
    assertTrue(error.getMessage().contains("another fc_1.weight"), error.getMessage());
  }

  private void compare(ExportedNetwork exported) throws Exception {
    Path file = directory.resolve("network.onnx");
    OnnxModel.write(exported.network(), file);
    exported.compareRead(file);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(file.toString());
        OnnxTensor input = input(session, exported);
        OrtSession.Result result = session.run(Map.of("input", input))) {
      exported.compare("ONNX Runtime", values(result, "outputs"), values(result, "predictions"));
      Map<String, String> facts = new HashMap<>(session.getMetadata().getCustomMetadata());
      facts.remove("layers");
      assertEquals(exported.network().facts(), facts);
    }
  }

  private static OnnxTensor input(OrtSession session, ExportedNetwork exported)
      throws OrtException {
    TensorInfo info = (TensorInfo) session.getInputInfo().get("input").getInfo();
    boolean tokens = exported.takesTokens();
    assertEquals(tokens ? OnnxJavaType.INT64 : OnnxJavaType.FLOAT, info.type);
    long[] shape = Arrays.stream(exported.shape()).asLongStream().toArray();
    long[] stated = shape.clone();
    stated[0] = -1; // Any number of examples.
    assertArrayEquals(stated, info.getShape());
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    return tokens
        ? OnnxTensor.createTensor(environment, LongBuffer.wrap(exported.tokens()), shape)
        : OnnxTensor.createTensor(environment, FloatBuffer.wrap(exported.input()), shape);
  }

  private static float[] values(OrtSession.Result result, String output) {
    return ((OnnxTensor) result.get(output).orElseThrow()).getFloatBuffer().array();
  }
}
