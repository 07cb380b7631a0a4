package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.onednn.reference.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTest {
  /** A guess has log 10 = 2.3; dropout keeps the loss of cifar10-cnn from vanishing. */
  private static final double LEARNT = 0.1;

  /** Ten times what most seeds need, which end sooner. */
  private static final int MAX_STEPS = 2000;

  private static final DataSet DIGITS = DataSets.load("digits", null, ModelSeeds.of(1));
  private static final DataSet TOY = DataSets.load("toy", null, ModelSeeds.of(1));

  @ParameterizedTest
  @CsvSource({
    "mnist-cnn, 3274634, 0",
    "cifar10-cnn, 4607178, 3712",
    "toy-fc, 1057010, 0",
    "toy-conv, 57866, 0",
    "sigmoid-mlp, 79510, 0",
    "adacomp-cnn, 421642, 0",
    "lenet, 431080, 0",
    "'mlp:64,32', 52650, 0",
    "'cnn:8,16,dense=32', 26698, 0",
    "'cnn:8,kernel=5', 15898, 0"
  })
  void parameterCountsAreExact(String network, int count, int statistics) {
    assertEquals(count, Networks.summary(network).parameters());
    assertEquals(statistics, Networks.summary(network).statistics());
    try (GradientSource source = open(network)) {
      assertEquals(count + statistics, source.layout().size());
      assertEquals(count, source.layout().trainable());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mlp",
        "mlp:8",
        "mlp:8,4,16",
        "cnn",
        "cnn:4,kernel=3",
        "cnn:4,8,kernel=5,dense=7",
        "cnn:16,32,kernel=3,dense=5",
        "lenet"
      })
  void argumentsAreInTheNameAndInTheLayout(String network) {
    assertEquals(network, Networks.named(network).name());
    String bare = network.split(":")[0];
    try (GradientSource source = open(network)) {
      assertEquals(network, Networks.restored(bare, source.layout()));
      assertEquals(network, Networks.restored(network, source.layout()));
    }
  }

  @Test
  void aNetworkIsDescribedByItsLayers() {
    NetworkOptions none = NetworkOptions.USUAL;
    var one = Networks.describe(Networks.named("mlp:10,10"), none, DIGITS.form());
    var other = Networks.describe(Networks.named("mlp:10,10"), none, DIGITS.form());
    assertEquals(one, other);
    var wide = Networks.describe(Networks.named("cnn:4,kernel=3,dense=8"), none, DIGITS.form());
    assertNotEquals(one.get("network_sha256"), wide.get("network_sha256"));
    assertEquals("8070", one.get("parameters")); // 784*10 + 10 + 10*10 + 10 + 10*10 + 10
  }

  @ParameterizedTest
  @ValueSource(strings = {"mnist-cnn", "toy-conv"})
  void twoSourcesWithOneSeedGiveTheSameBits(String network) {
    float[][] gradients = new float[2][];
    for (int i = 0; i < 2; i++) {
      try (GradientSource source = open(network)) {
        float[] parameters = new float[source.layout().size()];
        source.initialize(ModelSeeds.of(3), parameters);
        gradients[i] = gradient(source, parameters, 12, 5);
      }
    }
    assertArrayEquals(gradients[0], gradients[1], 0f);
  }

  /** Within the reference's rounding bounds, at 20 points clear of kinks, in two partitions. */
  @Tag("numerical")
  @Tag("system")
  @ParameterizedTest
  @ValueSource(strings = {"toy-fc", "toy-conv", "sigmoid-mlp", "mlp:32,16", "cnn:4,8"})
  void gradientsAreTheReferencesButForRounding(String network) {
    DataSet data = data(Networks.summary(network).input());
    var needs = Networks.definition(network).stated();
    try (GradientSource source = Networks.open(network, data)) {
      var reference =
          new Reference(Networks.definition(network).architecture(needs), source.layout());
      float[] parameters = new float[source.layout().size()];
      int compared = 0;
      for (int draw = 0; draw < 40 && compared < 20; draw++) {
        source.initialize(ModelSeeds.of(draw), parameters);
        compared += isWithinBounds(source, reference, parameters, data) ? 1 : 0;
      }
      assertEquals(20, compared, "points clear of kinks among 40");
    }
  }

  /** False where the point lies at a kink, so that nothing was compared. */
  private static boolean isWithinBounds(
      GradientSource source, Reference reference, float[] parameters, DataSet data) {
    double[] point =
        IntStream.range(0, parameters.length).mapToDouble(i -> parameters[i]).toArray();
    Reference.Outcome expected = reference.train(point, data, 0, new int[] {2, 3}, null);
    if (!expected.clear()) {
      return false;
    }
    float[] found = gradient(source, parameters, 3, 2);
    for (int i = 0; i < found.length; i++) {
      assertEquals(expected.gradient()[i], found[i], expected.gradientError()[i]);
    }
    return true;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mnist-cnn",
        "cifar10-cnn",
        "toy-fc",
        "toy-conv",
        "sigmoid-mlp",
        "adacomp-cnn",
        "lenet"
      })
  @Tag("system")
  void networksLearn16ExamplesByHeart(String network) {
    try (GradientSource source = open(network)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(3), parameters);
      float[] squares = new float[parameters.length];
      double loss = Double.POSITIVE_INFINITY;
      for (int step = 0; step < MAX_STEPS && loss >= LEARNT; step++) {
        float[] gradient = new float[parameters.length];
        source.begin(parameters, step);
        loss = source.accumulate(IntStream.range(0, 16).toArray(), 0, 16) / 16;
        source.finish(gradient);
        rmsStep(parameters, gradient, squares);
      }
      assertTrue(loss < LEARNT, "mean loss " + loss);
    }
  }

  /** RMSProp with learning rate 0.001 and decay 0.9. */
  private static void rmsStep(float[] parameters, float[] gradient, float[] squares) {
    for (int i = 0; i < parameters.length; i++) {
      float g = gradient[i] / 16;
      squares[i] = 0.9f * squares[i] + 0.1f * g * g;
      parameters[i] -= 0.001f * g / (float) Math.sqrt(squares[i] + 1e-10f);
    }
  }

  @Test
  void initialWeightsHaveTheStatedSpreadAndBiasesAreZero() {
    try (GradientSource source = open("mnist-cnn")) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(3), parameters);
      for (Block block : source.layout().blocks()) {
        double expected =
            switch (block.name()) {
              case "conv1.W" -> Math.sqrt(2.0 / 25);
              case "conv2.W" -> Math.sqrt(2.0 / 800);
              case "fc1.W" -> Math.sqrt(2.0 / 3136);
              case "fc2.W" -> Math.sqrt(2.0 / (1024 + 10));
              default -> 0;
            };
        float[] values = Arrays.copyOfRange(parameters, block.offset(), block.end());
        double deviation = norm(values) / Math.sqrt(values.length);
        // That of n normal draws is known to 1 / √(2n); seven are exceeded by one draw of 4e11.
        double known = 1 / Math.sqrt(2.0 * values.length);
        assertEquals(expected, deviation, 7 * known * expected, block.name());
      }
    }
  }

  @Test
  void everyDefaultNetworkFitsItsData() {
    for (String data : Set.of("digits", "toy")) {
      try (GradientSource source =
          Networks.open(Networks.defaultFor(data), DataSets.load(data, null, ModelSeeds.of(1)))) {
        assertTrue(source.trainingExamples() >= 10_000);
      }
    }
    assertEquals("mnist-cnn", Networks.defaultFor("mnist"));
    assertEquals("mnist-cnn", Networks.defaultFor("fashion_mnist"));
    assertEquals("nano-gpt", Networks.defaultFor("tinyshakespeare"));
    assertEquals("nano-gpt", Networks.defaultFor("text:a.txt"));
    assertEquals("gpt:4,4,128,256", Networks.defaultFor("text:a.txt,context=256"));
  }

  @Test
  void dataOfAnotherShapeAreRejectedWithBothShapes() {
    String message =
        assertThrows(UsageException.class, () -> Networks.open("mnist-cnn", TOY)).getMessage();
    assertTrue(message.contains("expects examples of 1x28x28 "), message);
    assertTrue(message.contains("found 1x10x10"), message);
  }

  @Test
  void aNetworkMustHaveOneOutputPerClass() {
    ImageShape pair = new ImageShape(1, 1, 2);
    NetworkDefinition ten =
        NetworkDefinition.of(
            "ten",
            pair,
            needs -> new LayerStack(new Requirements(pair, 10, Norm.NONE)).softmax("output"));
    var examples = new ByteExamples(new byte[4], new byte[2]);
    var two = new DataSet("rings", pair, 2, examples, examples);
    String message =
        assertThrows(UsageException.class, () -> Networks.check(ten, two)).getMessage();
    assertTrue(message.endsWith("layer output has 10 outputs, found 2 classes"), message);
  }

  @Test
  void aTextNeedsANetworkThatPredictsEachToken(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "abc".repeat(30));
    DataSet text = DataSets.load("text:" + file + ",context=4", null, 1);
    Networks.check(Networks.named("gpt:1,1,8,16"), text);
    String message =
        assertThrows(UsageException.class, () -> Networks.check(Networks.named("mlp:8"), text))
            .getMessage();
    assertTrue(message.contains("expects examples of 1 labels each, found 4 in"), message);
    assertTrue(message.endsWith("such as gpt:4,4,128,4"), message);
    DataSet table = data(new ImageShape(1, 1, 4));
    assertThrows(UsageException.class, () -> Networks.check(Networks.named("gpt:1,1,8,16"), table));
  }

  @Test
  void unknownNamesGetASuggestion() {
    assertEquals(
        "unknown network 'mnist-cn', did you mean 'mnist-cnn'?",
        assertThrows(UsageException.class, () -> Networks.open("mnist-cn", DIGITS)).getMessage());
    assertTrue(
        assertThrows(UsageException.class, () -> Networks.defaultFor("imagenet"))
            .getMessage()
            .contains("--network"));
  }

  private static GradientSource open(String network) {
    return Networks.open(network, data(Networks.summary(network).input()));
  }

  private static DataSet data(ImageShape shape) {
    for (DataSet set : List.of(DIGITS, TOY)) {
      if (set.shape().equals(shape)) {
        return set;
      }
    }
    Random random = new Random(ModelSeeds.of(2));
    byte[] pixels = new byte[64 * shape.size()];
    random.nextBytes(pixels);
    byte[] labels = new byte[64];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) random.nextInt(10);
    }
    var noise = new ByteExamples(pixels, labels);
    return new DataSet("noise", shape, 10, noise, noise);
  }

  private static float[] gradient(GradientSource source, float[] parameters, int count, int slice) {
    float[] gradient = new float[parameters.length];
    int[] order = IntStream.range(0, count).toArray();
    source.begin(parameters, 1);
    for (int from = 0; from < count; from += slice) {
      source.accumulate(order, from, Math.min(count, from + slice));
    }
    source.finish(gradient);
    return gradient;
  }

  private static double norm(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum);
  }
}
