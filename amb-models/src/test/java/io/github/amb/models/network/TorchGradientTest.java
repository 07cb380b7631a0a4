package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.SavedArchitecture;
import io.github.amb.models.dl4j.SequenceLayer;
import io.github.amb.models.onednn.OneDnnGradientSource;
import io.github.amb.models.onednn.SampleSequences;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Gradients of both engines next to PyTorch's in double precision, with dropout off, on the
 * smallest images that leave batch normalization something to average; skipped where PyTorch is not
 * installed.
 */
@Tag("system")
class TorchGradientTest {
  private static final int CLASSES = 10;

  /**
   * Draws for which rounding may move the gradient further are replaced: batch normalization
   * divides by the deviation of so few examples' features that may be small, and a sum may lie next
   * to a kink.
   */
  private static final double MAX_SENSITIVE = 0.01;

  private static final int MAX_DRAWS = 20;

  /**
   * The largest of a few samples of a distance stands for all that may come. An engine rounds on
   * the way forward and on the way back.
   */
  private static final double MARGIN = 4;

  private static TorchProcess torch;

  @TempDir Path directory;

  @BeforeAll
  static void torchIsInstalled() throws Exception {
    torch = TorchProcess.start();
    assumeTrue(torch != null, "no Python has torch");
  }

  @AfterAll
  static void endTorch() {
    if (torch != null) {
      torch.close();
    }
  }

  /** The small networks, and with the last two every kind of layer but two. */
  @ParameterizedTest
  @CsvSource({
    "mnist-cnn, none, 1, 28, 6",
    "mnist-cnn, batch, 1, 28, 6",
    "mnist-cnn, group, 1, 28, 6",
    "cifar10-cnn, none, 3, 32, 6",
    "adacomp-cnn, none, 1, 28, 6",
    "lenet, none, 1, 28, 6",
    "sigmoid-mlp, none, 1, 28, 6",
    "toy-fc, none, 1, 10, 6",
    "toy-conv, none, 1, 10, 6",
    "resnet32, batch, 3, 16, 6",
    "mobilenet-v2, batch, 1, 48, 6",
    "'vit:2,2,16,4', none, 3, 16, 6"
  })
  void gradientsEqualPyTorchs(String network, String norm, int channels, int side, int examples)
      throws Exception {
    var shape = new ImageShape(channels, side, side);
    compare(network, Norm.named(norm), data(shape, examples));
  }

  /** Every layer of texts, with a window shorter than the context. */
  @ParameterizedTest
  @CsvSource({"nano-gpt, 64", "'gpt:2,3,24,20,bias', 17"})
  void gradientsOfTextsEqualPyTorchs(String network, int window) throws Exception {
    compare(network, Norm.NONE, SampleSequences.data(4, window, 65, ModelSeeds.of(9)));
  }

  private void compare(String network, Norm norm, DataSet data) throws Exception {
    ImageShape shape = data.shape();
    var needs = new Requirements(shape, data.classes(), norm);
    String json =
        Networks.definition(network)
            .architecture(needs)
            .toJson()
            .replaceAll("\"p\" : 0\\.\\d+", "\"p\" : 1.0");
    Path file = Files.writeString(directory.resolve("network.json"), json);
    Architecture architecture = SavedArchitecture.read(file, shape);
    boolean ours =
        architecture.parts().stream().anyMatch(part -> part.layer() instanceof SequenceLayer);
    try (GradientSource fast = OneDnnGradientSource.of(architecture, data).orElseThrow();
        GradientSource plain = ours ? null : new Dl4jGradientSource(architecture, data)) {
      float[] parameters = new float[fast.layout().size()];
      TorchProcess.Answer expected = null;
      for (long draw = 0; expected == null || expected.sensitivity() > MAX_SENSITIVE; draw++) {
        assertTrue(draw < MAX_DRAWS, () -> "expected a draw for which rounding does not decide");
        initialize(fast, ModelSeeds.of(draw), parameters);
        export(fast.layout(), parameters, data);
        expected = torch.gradient(directory);
      }
      compare("oneDNN", fast, parameters, expected);
      if (plain != null) {
        compare("DL4J", plain, parameters, expected);
      }
    }
  }

  static void initialize(GradientSource source, long seed, float[] parameters) {
    source.initialize(seed, parameters);
    scatterScalesAndShifts(source.layout(), seed, parameters);
    shrinkLogits(source.layout(), parameters);
  }

  private void compare(
      String engine, GradientSource source, float[] parameters, TorchProcess.Answer expected)
      throws IOException {
    float[] gradient = new float[parameters.length];
    source.begin(parameters, 1);
    int examples = source.trainingExamples();
    double loss = source.accumulate(IntStream.range(0, examples).toArray(), 0, examples);
    source.finish(gradient);
    double tolerance = MARGIN * expected.sensitivity();
    assertEquals(expected.loss(), loss, tolerance * expected.loss(), engine);
    compare(engine, source.layout(), gradient, tolerance);
  }

  /** The two kinds of layer that the small networks do not have. */
  @Tag("lab")
  @Test
  void theGradientOfALargeNetworkEqualsPyTorchs() throws Exception {
    gradientsEqualPyTorchs("inception-v3", "batch", 1, 107, 4);
  }

  /** Compares the other large networks, which takes minutes. */
  @Tag("claims")
  @ParameterizedTest
  @CsvSource({
    "resnet18, batch, 3, 16, 6",
    "wrn-28-2, batch, 3, 16, 6",
    "cifar10-cnn, group, 3, 32, 6",
    "resnet18, group, 3, 16, 3",
    "vgg11, batch, 3, 32, 6",
    "resnet18-v1, batch, 1, 64, 6",
    "resnet50-v1, batch, 1, 64, 6",
    "resnet50-v2, batch, 1, 64, 6",
    "mobilenet-v1, batch, 1, 64, 6",
    "alexnet, none, 1, 64, 3"
  })
  void gradientsOfLargeNetworksEqualPyTorchs(
      String network, String norm, int channels, int side, int examples) throws Exception {
    gradientsEqualPyTorchs(network, norm, channels, side, examples);
  }

  /**
   * Values other than 1 and 0 for γ and β, so that they show. With β around 2 few units are near
   * the kink of their ReLU, where in deep networks rounding would decide.
   */
  private static void scatterScalesAndShifts(Layout layout, long seed, float[] parameters) {
    Random random = new Random(seed);
    for (Block block : layout.blocks()) {
      boolean trained = block.kind() == Block.Kind.BIAS;
      float shift = block.name().endsWith(".beta") ? 2 : 0;
      for (int i = block.offset(); trained && i < block.end(); i++) {
        parameters[i] += shift + 0.1f * (float) random.nextGaussian();
      }
    }
  }

  /** DL4J's loss takes no probability for less than 1e-10, so that large logits would show. */
  private static void shrinkLogits(Layout layout, float[] parameters) {
    Block last =
        layout.blocks().stream()
            .filter(block -> block.kind() == Block.Kind.WEIGHT)
            .reduce((before, after) -> after)
            .orElseThrow();
    for (int i = last.offset(); i < last.end(); i++) {
      parameters[i] *= 0.1f;
    }
  }

  static DataSet data(ImageShape shape, int examples) {
    Random random = new Random(ModelSeeds.of(7));
    float[] features = new float[examples * shape.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    byte[] labels = new byte[examples];
    for (int i = 0; i < examples; i++) {
      labels[i] = (byte) random.nextInt(CLASSES);
    }
    var all = new FloatExamples(features, labels);
    return new DataSet("sample", shape, CLASSES, all, all);
  }

  private void export(Layout layout, float[] parameters, DataSet data) throws IOException {
    String blocks =
        layout.blocks().stream()
            .map(
                block ->
                    block.name()
                        + " "
                        + block.offset()
                        + Arrays.stream(block.shape())
                            .mapToObj(size -> " " + size)
                            .collect(Collectors.joining()))
            .collect(Collectors.joining("\n"));
    Files.writeString(directory.resolve("blocks.txt"), blocks);
    write("parameters.bin", parameters);
    int count = data.train().count();
    ImageShape shape = data.shape();
    float[] features = new float[count * shape.size()];
    float[] one = new float[shape.size()];
    int[] classes = new int[data.train().positions()];
    ByteBuffer labels = ByteBuffer.allocate(4 * count * classes.length);
    for (int i = 0; i < count; i++) {
      data.train().copyFeatures(i, one);
      System.arraycopy(one, 0, features, i * one.length, one.length);
      data.train().copyLabels(i, classes);
      labels.asIntBuffer().put(classes);
      labels.position(labels.position() + 4 * classes.length);
    }
    write("features.bin", features);
    Files.write(directory.resolve("labels.bin"), labels.array());
    Files.writeString(
        directory.resolve("shape.txt"),
        "%d %d %d %d".formatted(count, shape.channels(), shape.height(), shape.width()));
  }

  private void write(String name, float[] values) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    bytes.asFloatBuffer().put(values);
    Files.write(directory.resolve(name), bytes.array());
  }

  private void compare(String engine, Layout layout, float[] gradient, double tolerance)
      throws IOException {
    var expected =
        ByteBuffer.wrap(Files.readAllBytes(directory.resolve("gradient.bin"))).asDoubleBuffer();
    double difference = 0;
    double size = 0;
    for (Block block : layout.blocks()) {
      boolean trained = block.kind() != Block.Kind.RUNNING_STATISTIC;
      for (int i = block.offset(); trained && i < block.end(); i++) {
        difference += Math.pow(gradient[i] - expected.get(i), 2);
        size += Math.pow(expected.get(i), 2);
      }
    }
    assertTrue(size > 0);
    double relative = Math.sqrt(difference / size);
    assertTrue(
        relative <= tolerance,
        () ->
            "%s: distance %.2g of the length, at most %.2g".formatted(engine, relative, tolerance));
  }
}
