package io.github.amb.models.onednn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.ScaledExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.graph.DropoutRandom;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.reference.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SeparableConvolution2D;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;

class OneDnnGradientSourceTest {
  private static final int EXAMPLES = 150;
  private static final DataSet DATA = SampleNetworks.data(EXAMPLES, ModelSeeds.of(7));
  private static final int[] ORDER = IntStream.range(0, EXAMPLES).toArray();

  @BeforeAll
  static void oneDnnRunsHere() {
    assumeTrue(OneDnn.isAvailable(), "there is no oneDNN for this host");
  }

  private record Result(float[] gradient, double loss) {}

  private static GradientSource open(Architecture network) {
    return OneDnnGradientSource.of(network, DATA).orElseThrow();
  }

  private static float[] parameters(GradientSource source) {
    float[] parameters = new float[source.layout().size()];
    source.initialize(ModelSeeds.of(5), parameters);
    // Running statistics other than 0, and biases, which begin as 0.
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += 0.02f * (i % 7 - 3);
    }
    return parameters;
  }

  private static Result step(GradientSource source, float[] parameters, int slice, long drawSeed) {
    source.begin(parameters, drawSeed);
    double loss = 0;
    for (int from = 0; from < EXAMPLES; from += slice) {
      loss += source.accumulate(ORDER, from, Math.min(EXAMPLES, from + slice));
    }
    float[] gradient = new float[parameters.length];
    source.finish(gradient);
    return new Result(gradient, loss);
  }

  static Stream<Arguments> networks() {
    return SampleNetworks.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("networks")
  void parametersAreDl4jsInPlaceAndValue(String name, Architecture network) {
    try (GradientSource ours = open(network);
        GradientSource theirs = new Dl4jGradientSource(network, DATA)) {
      assertEquals(theirs.layout().blocks().toString(), ours.layout().blocks().toString(), name);
      assertArrayEquals(parameters(theirs), parameters(ours));
    }
  }

  /** Of a copy, whatever becomes of the array. */
  @Test
  void outputsAreOfTheParametersInUse() {
    Architecture network = SampleNetworks.dense(Activation.SIGMOID);
    try (OneDnnGradientSource source = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
      float[] parameters = parameters(source);
      float[] example = new float[DATA.shape().size()];
      source.use(parameters);
      float[] first = source.outputs(example);
      parameters[parameters.length - 1] += 1; // The last output's bias.
      assertArrayEquals(first, source.outputs(example));
      source.use(parameters);
      first[first.length - 1] += 1;
      assertArrayEquals(first, source.outputs(example), 1e-6f);
    }
  }

  /** A network that takes larger images scales an example as it scales those of its data. */
  @Test
  void anExampleIsScaledAsTheDataAre() {
    ImageShape shape = new ImageShape(DATA.shape().channels(), 3, 2);
    float[] features = new float[shape.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = i / 10f;
    }
    var one = new FloatExamples(features, new byte[1]);
    DataSet small = new DataSet("small", shape, DATA.classes(), one, one);
    DataSet scaled = ScaledExamples.scale(small, DATA.shape());
    float[] large = new float[DATA.shape().size()];
    scaled.test().copyFeatures(0, large);
    Architecture network = SampleNetworks.dense(Activation.SIGMOID);
    try (OneDnnGradientSource takesSmall = OneDnnGradientSource.of(network, scaled).orElseThrow();
        OneDnnGradientSource takesLarge = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
      float[] parameters = parameters(takesLarge);
      takesLarge.use(parameters);
      takesSmall.use(parameters);
      float[] expected = takesLarge.outputs(large);
      assertArrayEquals(expected, takesSmall.outputs(features));
      float[] five = new float[5];
      assertThrows(IllegalArgumentException.class, () -> takesSmall.outputs(five));
      assertThrows(IllegalArgumentException.class, () -> takesLarge.outputs(features));
    }
  }

  /** Each sum within the reference's bounds for it; of smooth layers, which have no kink. */
  @Tag("numerical")
  @Test
  void partitionsSumToTheWholeBatch() {
    var convolution =
        (BaseLayer) SampleNetworks.convolution("conv1", 5, ConvolutionMode.Same, 1, 3);
    convolution.setActivationFn(Activation.TANH.getActivationFunction());
    for (Architecture network :
        List.of(SampleNetworks.dense(Activation.SIGMOID), SampleNetworks.images(convolution))) {
      try (GradientSource source = open(network)) {
        var reference = new Reference(network, source.layout());
        float[] parameters = parameters(source);
        Result whole = step(source, parameters, EXAMPLES, 1);
        for (int slice : new int[] {EXAMPLES, 33, 7, 1}) {
          Reference.Outcome expected =
              reference.train(exact(parameters), DATA, 0, ends(slice), null);
          Result parts = step(source, parameters, slice, 1);
          assertEquals(expected.loss(), parts.loss, expected.lossError());
          for (int i = 0; i < parts.gradient.length; i++) {
            assertEquals(expected.gradient()[i], parts.gradient[i], expected.gradientError()[i]);
          }
        }
        assertArrayEquals(whole.gradient, step(source, parameters, EXAMPLES, 1).gradient, 0f);
      }
    }
  }

  /**
   * A slice has 16 windows of 64 positions, as there are 2.5 million parameters. Sums of up to 24 ×
   * 64 terms in another order differ by some roundings of 6e-8, far less than a window that is left
   * out or counted twice.
   */
  @Test
  void manyWindowsAtOnceSumToTheSame() {
    DataSet data = SampleSequences.data(24, 64, 50, ModelSeeds.of(8));
    try (GradientSource source = Networks.open("gpt:1,4,448,64", data)) {
      assertTrue(source.layout().size() > 1 << 21);
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      float[][] sums = new float[2][parameters.length];
      for (int parts = 0; parts < 2; parts++) {
        source.begin(parameters, 1);
        int size = parts == 0 ? 24 : 1;
        for (int from = 0; from < 24; from += size) {
          source.accumulate(ORDER, from, from + size);
        }
        source.finish(sums[parts]);
      }
      double square = 0;
      double difference = 0;
      for (int i = 0; i < parameters.length; i++) {
        square += Math.pow(sums[0][i], 2);
        difference += Math.pow((double) sums[0][i] - sums[1][i], 2);
      }
      assertEquals(0, Math.sqrt(difference / square), 1e-5);
    }
  }

  private static double[] exact(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
  }

  private static int[] ends(int slice) {
    int count = (EXAMPLES + slice - 1) / slice;
    return IntStream.rangeClosed(1, count).map(i -> Math.min(EXAMPLES, i * slice)).toArray();
  }

  @Test
  void theSameSeedGivesTheSameBitsWhateverWasDoneBefore() {
    Architecture network =
        SampleNetworks.images(
            SampleNetworks.convolution("conv1", 5, ConvolutionMode.Same, 1, 3),
            SampleNetworks.dropout(0.6));
    try (GradientSource first = open(network);
        GradientSource second = open(network)) {
      float[] parameters = parameters(first);
      for (int slice : new int[] {5, 13, 50, 1}) {
        step(first, parameters, slice, 4);
      }
      first.evaluate(parameters, ORDER, 0, 9);
      Result one = step(first, parameters, 32, 3);
      Result other = step(second, parameters, 32, 3);
      assertArrayEquals(one.gradient, other.gradient, 0f);
      assertEquals(one.loss, other.loss);
      assertFalse(Arrays.equals(one.gradient, step(first, parameters, 32, 5).gradient));
    }
  }

  @Test
  void dropoutKeepsTheShareItIsToldAndScalesIt() {
    DropoutRandom draws = new DropoutRandom();
    draws.from(new io.github.amb.core.random.Streams(ModelSeeds.of(3)).stream("test", 0, 0));
    float[] mask = new float[100_001];
    draws.mask(mask, mask.length, 0.7);
    int kept = 0;
    for (float value : mask) {
      assertTrue(value == 0f || value == (float) (1 / 0.7), "found " + value);
      kept += value > 0 ? 1 : 0;
    }
    // Six standard deviations of a binomial distribution.
    double deviation = Math.sqrt(mask.length * 0.7 * 0.3);
    assertEquals(0.7 * mask.length, kept, 6 * deviation);
  }

  @Test
  void evaluationDropsNothing() {
    try (GradientSource with = open(SampleNetworks.images(SampleNetworks.dropout(0.5)));
        GradientSource without = open(SampleNetworks.images())) {
      float[] parameters = parameters(with);
      assertEquals(
          without.evaluate(parameters, ORDER, 0, EXAMPLES),
          with.evaluate(parameters, ORDER, 0, EXAMPLES));
    }
  }

  /**
   * Places take turns as an engine's do, arrays and evaluations come between, targets are dirty.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("networks")
  void memoryOfOthersServesAsOwn(String name, Architecture network) {
    try (GradientSource own = open(network);
        GradientSource source = open(network)) {
      float[] parameters = parameters(own);
      FloatBuffer[] places = new FloatBuffer[6];
      FloatBuffer[] targets = new FloatBuffer[3];
      Arrays.setAll(places, i -> direct(parameters.length));
      Arrays.setAll(targets, i -> direct(parameters.length));
      targets[2] = FloatBuffer.allocate(parameters.length);
      for (int turn = 0; turn < 8; turn++) {
        parameters[turn] += 0.125f;
        FloatBuffer place = places[turn % places.length].put(0, parameters);
        FloatBuffer target = targets[turn % targets.length].put(0, new float[] {Float.NaN, 7});
        source.begin(place, target, turn);
        source.accumulate(ORDER, 0, 100);
        source.accumulate(ORDER, 100, EXAMPLES);
        place.put(0, new float[parameters.length]);
        source.finish(target);
        float[] found = new float[parameters.length];
        target.get(0, found);
        assertArrayEquals(step(own, parameters, 100, turn).gradient(), found, "turn " + turn);
        assertEquals(
            own.evaluate(parameters, ORDER, 0, 50), source.evaluate(parameters, ORDER, 0, 50));
      }
    }
  }

  private static FloatBuffer direct(int size) {
    ByteBuffer bytes = ByteBuffer.allocateDirect((size + 3) * Float.BYTES);
    return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  @Test
  void noPartitionGivesAZeroSum() {
    try (GradientSource source = open(SampleNetworks.residual())) {
      float[] parameters = parameters(source);
      step(source, parameters, EXAMPLES, 1);
      float[] gradient = new float[parameters.length];
      Arrays.fill(gradient, 1f);
      source.begin(parameters, 1);
      assertEquals(0, source.accumulate(ORDER, 4, 4));
      source.finish(gradient);
      assertArrayEquals(new float[parameters.length], gradient);
    }
  }

  /** With weights of 0 all outputs of the convolution are alike. */
  @Test
  void channelsWithoutVarianceMakeFiniteUpdates() {
    Architecture network =
        SampleNetworks.images(
            SampleNetworks.convolution("conv1", 5, ConvolutionMode.Same, 1, 3),
            new BatchNormalization.Builder().name("norm1").decay(0).build());
    try (GradientSource source = open(network)) {
      Result first = step(source, new float[source.layout().size()], EXAMPLES, 1);
      assertEquals(-1, Finite.firstBad(first.gradient, 0, first.gradient.length));
    }
  }

  /**
   * oneDNN's own reference code, which it falls back on without a word, is a hundred times slower.
   */
  @Test
  void convolutionsRunOnCompiledCode() {
    assumeTrue(Loader.getPlatform().endsWith("x86_64"), "other hosts have other implementations");
    Architecture network =
        SampleNetworks.images(
            SampleNetworks.convolution("conv1", 32, ConvolutionMode.Same, 1, 5),
            SampleNetworks.pooling(PoolingType.MAX, ConvolutionMode.Same, 2),
            SampleNetworks.convolution("conv2", 48, ConvolutionMode.Same, 1, 3),
            SampleNetworks.convolution("conv3", 64, ConvolutionMode.Truncate, 1, 3),
            SampleNetworks.depthwise("conv4", 1, 1, false));
    for (int examples : new int[] {1, 32, 64}) {
      try (OneDnnGradientSource source = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
        List<String> found = source.convolutions(examples);
        // Forward and by the weights, and by the input but for the first layer.
        assertEquals(4 * 3 - 1, found.size());
        assertTrue(found.stream().noneMatch(name -> name.startsWith("ref")), found.toString());
      }
    }
  }

  @Test
  void aNetworkWithAnUnknownLayerIsLeftToDl4j() {
    Architecture network =
        SampleNetworks.images(
            new SeparableConvolution2D.Builder(3, 3).nOut(2).depthMultiplier(1).build());
    assertTrue(OneDnnGradientSource.of(network, DATA).isEmpty());
  }
}
