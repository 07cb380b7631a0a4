package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class InitialParametersTest {
  private static final DataSet DATA = Samples.data(4);
  private static final ImageShape SHAPE = DATA.shape();
  private static final InputType INPUT =
      InputType.convolutional(SHAPE.height(), SHAPE.width(), SHAPE.channels());

  /** One layer of each kind that has parameters; dense ones as {@code dense} draws weights. */
  private static List<Layer> layers(WeightInit dense) {
    return List.of(
        new ConvolutionLayer.Builder(3, 3).name("conv").nOut(40).biasInit(0.25).build(),
        new BatchNormalization.Builder().name("bn").gamma(2).beta(3).build(),
        new DepthwiseConvolution2D.Builder(3, 3)
            .name("depth")
            .depthMultiplier(2)
            .stride(2, 2)
            .nOut(80)
            .weightInit(WeightInit.XAVIER)
            .build(),
        new GroupNormalization.Builder().name("gn").build(),
        new DenseLayer.Builder().name("fc").nOut(30).weightInit(dense).build(),
        new OutputLayer.Builder(LossFunction.MCXENT)
            .name("out")
            .nOut(DATA.classes())
            .activation(Activation.SOFTMAX)
            .weightInit(WeightInit.XAVIER)
            .biasInit(-1)
            .build());
  }

  private static Architecture network(WeightInit dense) {
    return Architecture.of(SequenceConfiguration.of(layers(dense), INPUT), SHAPE);
  }

  private static float[] block(GradientSource source, float[] parameters, String name) {
    Block block =
        source.layout().blocks().stream()
            .filter(b -> b.name().equals(name))
            .findFirst()
            .orElseThrow();
    return Arrays.copyOfRange(parameters, block.offset(), block.offset() + block.length());
  }

  @Test
  void constantsAreWhereTheLayoutHasThem() {
    try (var source = new Dl4jGradientSource(network(WeightInit.RELU), DATA)) {
      float[] parameters = new float[source.layout().size()];
      Arrays.fill(parameters, Float.NaN);
      source.initialize(ModelSeeds.of(1), parameters);
      assertConstant(0.25f, block(source, parameters, "conv.b"));
      assertConstant(2, block(source, parameters, "bn.gamma"));
      assertConstant(3, block(source, parameters, "bn.beta"));
      assertConstant(0, block(source, parameters, "bn.mean"));
      assertConstant(0, block(source, parameters, "bn.log10stdev"));
      assertConstant(0, block(source, parameters, "depth.b"));
      assertConstant(1, block(source, parameters, "gn.gamma"));
      assertConstant(0, block(source, parameters, "gn.beta"));
      assertConstant(-1, block(source, parameters, "out.b"));
    }
  }

  private static void assertConstant(float expected, float[] found) {
    float[] constant = new float[found.length];
    Arrays.fill(constant, expected);
    assertArrayEquals(constant, found);
  }

  /** DL4J's own draws are the reference; what is compared is the distribution. */
  @Test
  void weightsAreDistributedAsDl4jDrawsThem() {
    Architecture network = network(WeightInit.RELU);
    try (TrainableNetwork theirs = network.instantiate();
        var source = new Dl4jGradientSource(network, DATA)) {
      float[] ours = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(7), ours);
      Nd4j.getRandom().setSeed(ModelSeeds.of(7));
      theirs.layers().stream()
          .filter(layer -> layer.numParams() > 0)
          .forEach(l -> l.conf().getLayer().initializer().init(l.conf(), l.params(), true));
      float[] reference = theirs.parameters().data().asFloat();
      for (String name : List.of("conv.W", "depth.W", "fc.W", "out.W")) {
        float[] found = block(source, ours, name);
        double expected = deviation(block(source, reference, name));
        // Both are estimates: their ratio has a relative deviation of 1 / √n. Seven are exceeded by
        // one draw of 4e11.
        double tolerance = 7 / Math.sqrt(found.length);
        assertEquals(1, deviation(found) / expected, tolerance, name);
        assertEquals(0.6827, within(found, deviation(found)), tolerance, name);
      }
    }
  }

  /**
   * A unit has nine inputs, of one channel, and 18 outputs. The relative deviation of an estimate
   * of n weights is at most 1 / √2n. Seven are exceeded by one draw of 4e11.
   */
  @ParameterizedTest
  @CsvSource({"he-normal, 0.22222222", "lecun-uniform, 0.11111111", "glorot-normal, 0.07407407"})
  void depthwiseUnitsHaveTheInputsOfOneChannel(String text, double variance) {
    Architecture network = network(WeightInit.RELU).startingFrom(Initialization.parse(text));
    try (var source = new Dl4jGradientSource(network, DATA)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      float[] found = block(source, parameters, "depth.W");
      double expected = Math.sqrt(variance);
      assertEquals(expected, deviation(found), 7 / Math.sqrt(2 * found.length) * expected);
    }
  }

  private static double deviation(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value * value;
    }
    return Math.sqrt(sum / values.length);
  }

  /** The part of the values that are at most {@code bound} from 0. */
  private static double within(float[] values, double bound) {
    int count = 0;
    for (float value : values) {
      count += Math.abs(value) <= bound ? 1 : 0;
    }
    return (double) count / values.length;
  }

  @Test
  void aDistributionThatOnlyNd4jKnowsIsDrawnByIt() {
    Architecture network = network(WeightInit.XAVIER_UNIFORM);
    try (var source = new Dl4jGradientSource(network, DATA)) {
      float[] first = new float[source.layout().size()];
      float[] again = new float[first.length];
      float[] other = new float[first.length];
      source.initialize(ModelSeeds.of(3), first);
      InitialParameters.draw(network, ModelSeeds.of(3), again);
      InitialParameters.draw(network, ModelSeeds.of(4), other);
      assertArrayEquals(first, again);
      float[] weights = block(source, first, "fc.W");
      assertFalse(Arrays.equals(weights, block(source, other, "fc.W")));
      double bound = Math.sqrt(6.0 / (weights.length / 30 + 30));
      double largest = 0;
      for (float weight : weights) {
        largest = Math.max(largest, Math.abs(weight));
      }
      // Uniform draws are all below 0.95 of the bound once in 0.95^−n runs: 1e10 of 450 draws.
      assertTrue(weights.length >= 450);
      assertEquals(bound, largest, 0.05 * bound);
    }
  }

  /** All but the random seed, which means nothing here. */
  @Test
  void sequencesAreConfiguredAsDl4jsOwnBuilderDoes() {
    var theirs = Dl4jSetup.builder().list();
    layers(WeightInit.RELU).forEach(theirs::layer);
    assertEquals(
        withoutSeeds(theirs.setInputType(INPUT).build()),
        withoutSeeds(SequenceConfiguration.of(layers(WeightInit.RELU), INPUT)));
  }

  private static String withoutSeeds(MultiLayerConfiguration network) {
    return network.toJson().replaceAll("\"seed\" : \\d+", "");
  }
}
