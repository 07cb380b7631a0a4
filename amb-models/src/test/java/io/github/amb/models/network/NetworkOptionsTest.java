package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.dl4j.Initialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkOptionsTest {
  private static final DataSet TOY = DataSets.load("toy", null, ModelSeeds.of(1));
  private static final int[] EXAMPLES = {5, 3, 8, 1, 9, 2, 7, 4};
  private static final String NETWORK = "toy-fc";

  /** The update of a running mean m of 0 is subtracted: (1 − decay) (m − mean over the batch). */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.9, 0.99})
  void runningMeansDecayAsChosen(double decay) {
    try (GradientSource source = open(new NetworkOptions(Norm.BATCH, decay, null, null, null))) {
      float[] w = parameters(source);
      float[] update = gradient(source, w);
      Block weights = block(source, "fc1.W");
      Block biases = block(source, "fc1.b");
      int mean = block(source, "fc1-norm.mean").offset();
      float[] x = new float[100];
      double sum = 0;
      double size = 0;
      for (int example : EXAMPLES) {
        TOY.train().copyFeatures(example, x);
        sum += w[biases.offset()];
        for (int i = 0; i < x.length; i++) {
          sum += (double) w[weights.offset() + i] * x[i];
          size += Math.abs((double) w[weights.offset() + i] * x[i]);
        }
      }
      assertEquals(-(1 - decay) * sum, update[mean], size * 0x1p-22);
    }
  }

  /** DL4J computes the same by code of its own. */
  @Test
  void epsilonIsAsChosenOnBothEngines() {
    NetworkOptions options = new NetworkOptions(Norm.BATCH, null, 0.5, null, null);
    var requirements = new Requirements(TOY.shape(), TOY.classes(), Norm.BATCH);
    var architecture = Networks.definition(NETWORK).architecture(requirements);
    try (GradientSource source = open(options);
        GradientSource usual = open(new NetworkOptions(Norm.BATCH, null, null, null, null));
        GradientSource dl4j = new Dl4jGradientSource(options.apply(architecture), TOY)) {
      float[] w = parameters(source);
      float[] found = gradient(source, w);
      float[] expected = gradient(dl4j, w);
      assertTrue(distance(expected, found) < 1e-4, "found " + distance(expected, found));
      assertTrue(distance(gradient(usual, w), found) > 1e-2);
    }
  }

  private static double distance(float[] expected, float[] found) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += Math.pow(expected[i] - found[i], 2);
      size += Math.pow(expected[i], 2);
    }
    return Math.sqrt(difference / size);
  }

  @Test
  void weightsAreDrawnAsChosenAndBiasesStay() {
    NetworkOptions options =
        new NetworkOptions(null, null, null, Initialization.parse("uniform:0.5,dense=zeros"), null);
    try (GradientSource source = Networks.open(Networks.named("toy-conv"), options, TOY);
        GradientSource usual = Networks.open("toy-conv", TOY)) {
      float[] w = parameters(source);
      float[] other = parameters(usual);
      float largest = 0;
      for (Block block : source.layout().blocks()) {
        for (int i = block.offset(); i < block.end(); i++) {
          boolean convolution = block.name().startsWith("conv");
          if (block.kind() != Block.Kind.WEIGHT) {
            assertEquals(other[i], w[i]);
          } else if (convolution) {
            largest = Math.max(largest, Math.abs(w[i]));
          } else {
            assertEquals(0, w[i]);
          }
        }
      }
      // Of 52,000 weights none is in the outer tenth with probability 0.9^52000.
      assertTrue(largest > 0.45 && largest <= 0.5, "found " + largest);
    }
  }

  @Test
  void aNetworkAsItIsKeepsItsParameters() {
    try (GradientSource source = open(NetworkOptions.USUAL);
        GradientSource usual = Networks.open(NETWORK, TOY)) {
      assertArrayEquals(parameters(usual), parameters(source));
    }
  }

  @Test
  void constantsOfANormalizationThatIsNotThereAreRejected() {
    NetworkOptions options = new NetworkOptions(null, 0.99, 1e-3, null, null);
    var error =
        assertThrows(
            UsageException.class,
            () -> Networks.checkOptions(Networks.named("mnist-cnn"), options));
    assertEquals(
        """
        --batch-norm-decay: has no use with network mnist-cnn, which does not normalize batches; \
        leave it out or set --norm batch
        --batch-norm-epsilon: has no use with network mnist-cnn, which does not normalize batches; \
        leave it out or set --norm batch\
        """,
        error.getMessage());
    Networks.checkOptions(Networks.named("cifar10-cnn"), options);
    Networks.checkOptions(
        Networks.named("mnist-cnn"), new NetworkOptions(Norm.BATCH, 0.99, 1e-3, null, null));
  }

  private static GradientSource open(NetworkOptions options) {
    return Networks.open(Networks.named(NETWORK), options, TOY);
  }

  private static float[] parameters(GradientSource source) {
    float[] w = new float[source.layout().size()];
    source.initialize(ModelSeeds.of(2), w);
    return w;
  }

  private static float[] gradient(GradientSource source, float[] w) {
    source.begin(w, 1);
    source.accumulate(EXAMPLES, 0, EXAMPLES.length);
    float[] gradient = new float[w.length];
    source.finish(gradient);
    return gradient;
  }

  private static Block block(GradientSource source, String name) {
    return source.layout().blocks().stream()
        .filter(block -> block.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
