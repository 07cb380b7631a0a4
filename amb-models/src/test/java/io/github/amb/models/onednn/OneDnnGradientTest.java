package io.github.amb.models.onednn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import io.github.amb.models.graph.DropoutRandom;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.reference.Reference;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;

/**
 * Gradients and losses next to a reference in double precision, at points drawn from seeds.
 *
 * <p>The tolerance of each entry is the reference's bound on what rounding to float does to it,
 * from the number of additions and the unit of rounding. A point has two right gradients if a
 * pre-activation is nearer to its kink than its own bound, or two maxima to each other: then the
 * next point is taken.
 */
@Tag("numerical")
class OneDnnGradientTest {
  /** Points compared per network. */
  private static final int POINTS = 20;

  /** Points drawn for them: at least half of all are to be clear of kinks. */
  private static final int MAX = 2 * POINTS;

  /** Examples per point. */
  private static final int EXAMPLES = 6;

  /** A point says nothing if the bounds are more than this part of the gradient, as norms. */
  private static final double TIGHT = 0.01;

  /** bfloat16 has 8 significant bits; the error is at most half of the last one's value. */
  private static final double BFLOAT16_UNIT = 0x1p-8;

  /** Of a block with attention, its output included: 7 forward, twice as many backward. */
  private static final int PRODUCTS = 21;

  /** More than rounding to floats does, less than a single factor in bfloat16. */
  private static final double ROUNDED = 0x1p-16;

  /** {@link Reference}'s bounds are of 8 deviations, each a few units of rounding. */
  private static final double BFLOAT16_TIGHT = 0.25;

  /**
   * DL4J makes intermediate arrays, each rounded; here it is how it reads a network that counts.
   */
  private static final double DL4JS_ROUNDING = 16;

  private static final DataSet DATA = SampleNetworks.data(MAX * EXAMPLES, ModelSeeds.of(7));
  private static final DataSet TEXT = SampleSequences.data(MAX * EXAMPLES, ModelSeeds.of(8));
  private static final int[] ORDER = IntStream.range(0, MAX * EXAMPLES).toArray();

  @BeforeAll
  static void oneDnnRunsHere() {
    assumeTrue(OneDnn.isAvailable(), "there is no oneDNN for this host");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.github.amb.models.onednn.SampleNetworks#all")
  void gradientsAreTheReferencesButForRounding(String name, Architecture network) {
    try (GradientSource engine = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
      compare(engine, network, DATA, POINTS, 1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.github.amb.models.onednn.SampleSequences#all")
  void gradientsOfTextsAreTheReferencesButForRounding(String name, Architecture network) {
    try (GradientSource engine = OneDnnGradientSource.of(network, TEXT).orElseThrow()) {
      compare(engine, network, TEXT, POINTS, 1);
    }
  }

  @Test
  void gradientsOfPatchesAreTheReferencesButForRounding() {
    Architecture network = SampleSequences.patches();
    try (GradientSource engine = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
      compare(engine, network, DATA, POINTS, 1);
    }
  }

  @Test
  void dropoutOfTextsIsInTheGradientAsInTheLoss() {
    Architecture network = SampleSequences.dropout();
    try (GradientSource engine = OneDnnGradientSource.of(network, TEXT).orElseThrow()) {
      compare(engine, network, TEXT, POINTS, 1);
    }
  }

  /** Draws are the engine's own. */
  @Test
  void dropoutIsInTheGradientAsInTheLoss() {
    Architecture network = SampleNetworks.dropoutOfVectors();
    try (GradientSource engine = OneDnnGradientSource.of(network, DATA).orElseThrow()) {
      compare(engine, network, DATA, POINTS, 1);
    }
  }

  /** Networks without kinks, of which few points would be clear. */
  static Stream<Arguments> smooth() {
    var convolution =
        (BaseLayer) SampleNetworks.convolution("conv1", 5, ConvolutionMode.Same, 1, 3);
    convolution.setActivationFn(Activation.TANH.getActivationFunction());
    return Stream.of(
        Arguments.of(SampleNetworks.dense(Activation.SIGMOID), DATA),
        Arguments.of(SampleNetworks.images(convolution), DATA));
  }

  /** The weights are such numbers, as the errors of others would not be independent. */
  @ParameterizedTest
  @MethodSource("smooth")
  void bfloat16RoundsFactorsAlone(Architecture network, DataSet data) {
    assumeBfloat16();
    try (GradientSource engine =
        OneDnnGradientSource.of(network, data, Precision.BF16).orElseThrow()) {
      Reference reference = new Reference(network, engine.layout(), BFLOAT16_UNIT);
      compare(engine, reference, data, POINTS, new Tolerance(1, BFLOAT16_TIGHT));
    }
  }

  private static void assumeBfloat16() {
    Optional<String> obstacle = Precision.bf16Obstacle();
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElseThrow());
  }

  static Stream<Arguments> allKinds() {
    return Stream.of(
            SampleNetworks.all().map(network -> Arguments.of(network.get()[1], DATA)),
            SampleSequences.all().map(network -> Arguments.of(network.get()[1], TEXT)),
            Stream.of(
                Arguments.of(SampleSequences.dropout(), TEXT),
                Arguments.of(SampleSequences.patches(), DATA)))
        .flatMap(networks -> networks);
  }

  /**
   * Normalizations make the reference's bounds wide. A product of rounded factors errs by 2 units
   * of the product of their norms; of {@value #PRODUCTS} on the way, each adds as much.
   */
  @ParameterizedTest
  @MethodSource("allKinds")
  void bfloat16IsNearFp32(Architecture network, DataSet data) {
    assumeBfloat16();
    try (GradientSource exact = OneDnnGradientSource.of(network, data).orElseThrow();
        GradientSource engine =
            OneDnnGradientSource.of(network, data, Precision.BF16).orElseThrow()) {
      for (int draw = 0; draw < POINTS; draw++) {
        float[] parameters = parameters(engine, ModelSeeds.of(draw));
        double[] expected = gradient(exact, parameters, draw);
        double[] found = gradient(engine, parameters, draw);
        double[] error =
            IntStream.range(0, found.length).mapToDouble(i -> found[i] - expected[i]).toArray();
        assertEquals(0, norm(error), 2 * BFLOAT16_UNIT * PRODUCTS * norm(expected));
        assertTrue(norm(error) > ROUNDED * norm(expected), "nothing was rounded");
        assertArrayEquals(found, gradient(engine, parameters, draw), "the same bits");
      }
    }
  }

  private static double[] gradient(GradientSource engine, float[] parameters, int draw) {
    engine.begin(parameters, ModelSeeds.of(draw));
    engine.accumulate(ORDER, 0, EXAMPLES);
    engine.accumulate(ORDER, EXAMPLES, MAX * EXAMPLES / 2);
    float[] gradient = new float[parameters.length];
    engine.finish(gradient);
    return IntStream.range(0, gradient.length).mapToDouble(i -> gradient[i]).toArray();
  }

  @Tag("system")
  @ParameterizedTest(name = "{0}")
  @MethodSource("io.github.amb.models.onednn.SampleNetworks#all")
  void dl4jReadsTheNetworksAsTheReferenceDoes(String name, Architecture network) {
    try (GradientSource engine = new Dl4jGradientSource(network, DATA)) {
      compare(engine, network, DATA, 3, DL4JS_ROUNDING);
    }
  }

  private static void compare(
      GradientSource engine, Architecture network, DataSet data, int points, double factor) {
    Reference reference = new Reference(network, engine.layout());
    compare(engine, reference, data, points, new Tolerance(factor, TIGHT));
  }

  /**
   * @param factor on the reference's bounds
   * @param tight part of the gradient up to which bounds say something, as norms
   */
  private record Tolerance(double factor, double tight) {}

  private static void compare(
      GradientSource engine, Reference reference, DataSet data, int points, Tolerance tolerance) {
    int compared = 0;
    for (int draw = 0; draw < MAX && compared < points; draw++) {
      if (isComparable(engine, reference, data, draw, tolerance)) {
        compared++;
      }
    }
    assertEquals(points, compared, "points clear of kinks among " + MAX);
  }

  /** False where the point lies at a kink or says nothing. */
  private static boolean isComparable(
      GradientSource engine, Reference reference, DataSet data, int draw, Tolerance tolerance) {
    double factor = tolerance.factor();
    long seed = ModelSeeds.of(draw);
    float[] parameters = parameters(engine, seed);
    double[] point =
        IntStream.range(0, parameters.length).mapToDouble(i -> parameters[i]).toArray();
    int from = draw * EXAMPLES;
    int end = from + EXAMPLES;
    int[] ends = draw % 2 == 0 ? new int[] {end} : new int[] {from + 2, end};
    Reference.Outcome expected = reference.train(point, data, from, ends, masks(seed));
    Reference.Outcome score = reference.test(point, data, from, end);
    double part = norm(expected.gradientError()) / norm(expected.gradient());
    if (!expected.clear() || !score.clear() || part > tolerance.tight()) {
      return false;
    }
    engine.begin(parameters, seed);
    double loss = 0;
    int start = from;
    for (int partition : ends) {
      loss += engine.accumulate(ORDER, start, partition);
      start = partition;
    }
    float[] gradient = new float[parameters.length];
    engine.finish(gradient);
    assertEquals(expected.loss(), loss, factor * expected.lossError(), "draw " + draw);
    for (Block block : engine.layout().blocks()) {
      assertWithin(expected, gradient, block, factor);
    }
    Evaluation found = engine.evaluate(parameters, ORDER, from, end);
    assertEquals(score.loss() / EXAMPLES, found.loss(), factor * score.lossError() / EXAMPLES);
    double predictions = EXAMPLES * data.train().positions();
    assertEquals(score.correct() / predictions, found.accuracy(), 1e-12);
    return true;
  }

  private static float[] parameters(GradientSource engine, long seed) {
    float[] parameters = new float[engine.layout().size()];
    engine.initialize(seed, parameters);
    Random random = new Random(seed);
    // Running statistics other than 0, and biases, which begin as 0.
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += 0.05f * (float) random.nextGaussian();
      // A number in bfloat16, too.
      parameters[i] = Float.intBitsToFloat(Float.floatToIntBits(parameters[i]) & 0xffff0000);
    }
    return parameters;
  }

  /** The engine's draws: another stream for each partition. */
  private static Reference.Masks masks(long seed) {
    DropoutRandom draws = new DropoutRandom();
    int[] last = {-1};
    return (partition, length, keep) -> {
      if (partition != last[0]) {
        draws.from(new Streams(seed).stream("partition", 0, partition));
        last[0] = partition;
      }
      float[] mask = new float[length];
      draws.mask(mask, length, keep);
      return mask;
    };
  }

  private static void assertWithin(
      Reference.Outcome expected, float[] gradient, Block block, double factor) {
    for (int i = block.offset(); i < block.end(); i++) {
      String what = "%s[%d]".formatted(block.name(), i - block.offset());
      assertEquals(expected.gradient()[i], gradient[i], factor * expected.gradientError()[i], what);
    }
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(value -> value * value).sum());
  }
}
