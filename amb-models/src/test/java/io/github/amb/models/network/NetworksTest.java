package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.Seeds;
import io.github.amb.models.data.ByteExamples;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.ImageShape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTest {
  private static final DataSet DIGITS = DataSets.load("digits", null, Seeds.of(1));
  private static final DataSet TOY = DataSets.load("toy", null, Seeds.of(1));

  @ParameterizedTest
  @CsvSource({
    "mnist-cnn, 3274634, 0",
    "cifar10-cnn, 4607178, 3712",
    "toy-fc, 1057010, 0",
    "toy-conv, 57866, 0",
    "sigmoid-mlp, 79510, 0",
    "adacomp-cnn, 421642, 0",
    "lenet, 431080, 0"
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
  @ValueSource(strings = {"mnist-cnn", "toy-fc", "toy-conv", "sigmoid-mlp", "adacomp-cnn", "lenet"})
  void partitionsSumToTheWholeBatch(String network) {
    try (GradientSource source = open(network)) {
      float[] parameters = new float[source.layout().size()];
      source.initialise(Seeds.of(3), parameters);
      float[] whole = gradient(source, parameters, 12, 12);
      double scale = norm(whole);
      assertTrue(scale > 0);
      for (int slice : new int[] {7, 3}) {
        float[] parts = gradient(source, parameters, 12, slice);
        for (int i = 0; i < parts.length; i++) {
          parts[i] -= whole[i];
        }
        assertTrue(norm(parts) < 1e-5 * scale, norm(parts) / scale + " relative difference");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mnist-cnn", "toy-conv"})
  void twoSourcesWithOneSeedGiveTheSameBits(String network) {
    float[][] gradients = new float[2][];
    for (int i = 0; i < 2; i++) {
      try (GradientSource source = open(network)) {
        float[] parameters = new float[source.layout().size()];
        source.initialise(Seeds.of(3), parameters);
        gradients[i] = gradient(source, parameters, 12, 5);
      }
    }
    assertArrayEquals(gradients[0], gradients[1], 0f);
  }

  @ParameterizedTest
  @ValueSource(strings = {"toy-fc", "toy-conv", "sigmoid-mlp"})
  void theGradientAgreesWithCentralDifferences(String network) {
    try (GradientSource source = open(network)) {
      float[] parameters = new float[source.layout().size()];
      source.initialise(Seeds.of(3), parameters);
      float[] gradient = gradient(source, parameters, 8, 8);
      Random random = new Random(Seeds.of(1));
      for (int trial = 0; trial < 4; trial++) {
        double[] direction = direction(gradient, random);
        double slope = 0;
        for (int i = 0; i < gradient.length; i++) {
          slope += gradient[i] * direction[i];
        }
        double step = 2e-3;
        double difference =
            loss(source, moved(parameters, direction, step))
                - loss(source, moved(parameters, direction, -step));
        assertEquals(slope, difference / (2 * step), 0.01 * Math.abs(slope));
      }
    }
  }

  /** A unit vector with a good share of the gradient, so that rounding does not drown the slope. */
  private static double[] direction(float[] gradient, Random random) {
    double norm = norm(gradient);
    double spread = 1 / Math.sqrt(gradient.length);
    return IntStream.range(0, gradient.length)
        .mapToDouble(i -> 0.7 * gradient[i] / norm + 0.7 * spread * random.nextGaussian())
        .toArray();
  }

  private static float[] moved(float[] parameters, double[] direction, double step) {
    float[] result = new float[parameters.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) (parameters[i] + step * direction[i]);
    }
    return result;
  }

  private static double loss(GradientSource source, float[] parameters) {
    source.begin(parameters, 1);
    return source.accumulate(IntStream.range(0, 8).toArray(), 0, 8);
  }

  @ParameterizedTest
  @CsvSource({
    "mnist-cnn, 30, 0.02",
    "cifar10-cnn, 30, 0.1",
    "toy-fc, 60, 0.02",
    "toy-conv, 120, 0.02",
    "sigmoid-mlp, 300, 0.02",
    "adacomp-cnn, 90, 0.02",
    "lenet, 60, 0.02"
  })
  void networksLearn64ExamplesByHeart(String network, int steps, double enough) {
    try (GradientSource source = open(network)) {
      float[] parameters = new float[source.layout().size()];
      source.initialise(Seeds.of(3), parameters);
      float[] squares = new float[parameters.length];
      double loss = 0;
      for (int step = 0; step < steps; step++) {
        float[] gradient = new float[parameters.length];
        source.begin(parameters, step);
        loss = source.accumulate(IntStream.range(0, 64).toArray(), 0, 64) / 64;
        source.finish(gradient);
        rmsStep(parameters, gradient, squares);
      }
      // Dropout keeps the loss of cifar10-cnn from vanishing.
      assertTrue(loss < enough, "mean loss " + loss);
    }
  }

  /** RMSProp with learning rate 0.001 and decay 0.9. */
  private static void rmsStep(float[] parameters, float[] gradient, float[] squares) {
    for (int i = 0; i < parameters.length; i++) {
      float g = gradient[i] / 64;
      squares[i] = 0.9f * squares[i] + 0.1f * g * g;
      parameters[i] -= 0.001f * g / (float) Math.sqrt(squares[i] + 1e-10f);
    }
  }

  @Test
  void initialWeightsHaveTheStatedSpreadAndBiasesAreZero() {
    try (GradientSource source = open("mnist-cnn")) {
      float[] parameters = new float[source.layout().size()];
      source.initialise(Seeds.of(3), parameters);
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
        // The standard deviation of n normal draws is known to 1 / sqrt(2 n), 2.5 % for conv1.
        assertEquals(expected, deviation, 0.08 * expected, block.name());
      }
    }
  }

  @Test
  void everyDefaultNetworkFitsItsData() {
    for (String data : Set.of("digits", "toy")) {
      try (GradientSource source =
          Networks.open(Networks.defaultFor(data), DataSets.load(data, null, Seeds.of(1)))) {
        assertTrue(source.trainingExamples() >= 10_000);
      }
    }
    assertEquals("mnist-cnn", Networks.defaultFor("mnist"));
    assertEquals("mnist-cnn", Networks.defaultFor("fashion_mnist"));
  }

  @Test
  void dataOfAnotherShapeAreRefusedWithBothShapes() {
    String message =
        assertThrows(UsageException.class, () -> Networks.open("mnist-cnn", TOY)).getMessage();
    assertTrue(message.contains("expects examples of 1x28x28 "), message);
    assertTrue(message.contains("found 1x10x10"), message);
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
    Random random = new Random(Seeds.of(2));
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
