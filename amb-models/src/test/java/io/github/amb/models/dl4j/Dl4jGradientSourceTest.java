package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.onednn.reference.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.activations.Activation;

class Dl4jGradientSourceTest {
  private static final int EXAMPLES = 23;

  /** DL4J makes intermediate arrays, each rounded, which the reference does not count. */
  private static final double ROUNDING = 16;

  private static final DataSet DATA = Samples.data(EXAMPLES);

  /** The gradient sum of all examples in slices of the given size. */
  private static Result run(MultiLayerConfiguration network, int slice, long drawSeed) {
    try (GradientSource source =
        new Dl4jGradientSource(Architecture.of(network, DATA.shape()), DATA)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      // A step before, so that whatever it leaves behind would show.
      step(source, parameters, EXAMPLES, drawSeed);
      return step(source, parameters, slice, drawSeed);
    }
  }

  private static Result step(GradientSource source, float[] parameters, int slice, long drawSeed) {
    float[] gradient = new float[parameters.length];
    int[] order = Samples.indices(EXAMPLES);
    source.begin(parameters, drawSeed);
    double loss = 0;
    for (int from = 0; from < EXAMPLES; from += slice) {
      loss += source.accumulate(order, from, Math.min(EXAMPLES, from + slice));
    }
    source.finish(gradient);
    return new Result(gradient, loss);
  }

  private record Result(float[] gradient, double loss) {}

  /**
   * Each sum within the reference's bounds for it; of smooth layers, which have no kink, and
   * bounded ones, as DL4J's loss takes no probability for less than 1e-10.
   */
  @ParameterizedTest
  @EnumSource(
      value = Activation.class,
      names = {"TANH", "SIGMOID"})
  void partitionsSumToTheWholeBatch(Activation activation) {
    Architecture network = Architecture.of(Samples.dense(activation), Samples.SHAPE);
    try (GradientSource source = new Dl4jGradientSource(network, DATA)) {
      var reference = new Reference(network, source.layout());
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      double[] point =
          IntStream.range(0, parameters.length).mapToDouble(i -> parameters[i]).toArray();
      for (int slice : new int[] {EXAMPLES, 12, 5, 1}) {
        int count = (EXAMPLES + slice - 1) / slice;
        int[] ends =
            IntStream.rangeClosed(1, count).map(i -> Math.min(EXAMPLES, i * slice)).toArray();
        Reference.Outcome expected = reference.train(point, DATA, 0, ends, null);
        Result found = step(source, parameters, slice, 1);
        assertEquals(expected.loss(), found.loss, ROUNDING * expected.lossError());
        for (int i = 0; i < point.length; i++) {
          double error = ROUNDING * expected.gradientError()[i];
          assertEquals(expected.gradient()[i], found.gradient[i], error);
        }
      }
    }
  }

  @Test
  void runningStatisticsAreAveragedOverExamples() {
    MultiLayerConfiguration network = Samples.mixed(1);
    try (GradientSource source =
        new Dl4jGradientSource(Architecture.of(network, DATA.shape()), DATA)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      float[] expected = new float[parameters.length];
      for (int[] slice : new int[][] {{0, 9}, {9, 18}, {18, 23}}) {
        float[] one = updateOf(source, parameters, slice);
        for (int i = 0; i < one.length; i++) {
          expected[i] += one[i];
        }
      }
      float[] sum = step(source, parameters, 9, 1).gradient;
      assertArrayEquals(expected, sum, 1e-4f);
      Block mean = block(source.layout(), "bn1.mean");
      assertEquals(Block.Kind.RUNNING_STATISTIC, mean.kind());
      // DL4J's update of a running mean is (1 - decay) * (running mean - mean of the slice).
      float[] nine = updateOf(source, parameters, new int[] {0, 9});
      double update = nine[mean.offset()] / 9;
      assertEquals(-0.1 * meanActivation(source, parameters, 9), update, 1e-5);
    }
  }

  /** Mean of the first channel before normalization, by hand from the convolution's weights. */
  private static double meanActivation(GradientSource source, float[] parameters, int count) {
    int weights = block(source.layout(), "conv1.W").offset();
    double sum = 0;
    float[] x = new float[Samples.SHAPE.size()];
    int height = Samples.SHAPE.height();
    int width = Samples.SHAPE.width();
    for (int example = 0; example < count; example++) {
      DATA.train().copyFeatures(example, x);
      for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
          for (int k = 0; k < 18; k++) {
            int r = row + k % 9 / 3 - 1;
            int c = column + k % 3 - 1;
            if (r >= 0 && r < height && c >= 0 && c < width) {
              sum += parameters[weights + k] * x[(k / 9 * height + r) * width + c];
            }
          }
        }
      }
    }
    return sum / (count * height * width);
  }

  private static float[] updateOf(GradientSource source, float[] parameters, int[] slice) {
    float[] update = new float[parameters.length];
    source.begin(parameters, 1);
    source.accumulate(Samples.indices(EXAMPLES), slice[0], slice[1]);
    source.finish(update);
    return update;
  }

  @Test
  void theSameSeedGivesTheSameBits() {
    for (MultiLayerConfiguration network :
        List.of(Samples.dense(Activation.RELU), Samples.mixed(0.5))) {
      Result first = run(network, 5, 3);
      Result second = run(network, 5, 3);
      assertArrayEquals(first.gradient, second.gradient, 0f);
      assertEquals(first.loss, second.loss);
    }
  }

  @Test
  void theDrawSeedDecidesDropout() {
    Result first = run(Samples.mixed(0.5), 5, 3);
    Result other = run(Samples.mixed(0.5), 5, 4);
    assertFalse(Arrays.equals(first.gradient, other.gradient));
  }

  @Test
  void noPartitionGivesAZeroSum() {
    try (GradientSource source =
        new Dl4jGradientSource(Architecture.of(Samples.mixed(1), DATA.shape()), DATA)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      step(source, parameters, EXAMPLES, 1);
      float[] gradient = new float[parameters.length];
      Arrays.fill(gradient, 1f);
      source.begin(parameters, 1);
      assertEquals(0, source.accumulate(Samples.indices(EXAMPLES), 4, 4));
      source.finish(gradient);
      assertArrayEquals(new float[parameters.length], gradient);
    }
  }

  @Test
  void theArgumentIsTheParameterOfTheGradient() {
    try (GradientSource source =
        new Dl4jGradientSource(
            Architecture.of(Samples.dense(Activation.SIGMOID), DATA.shape()), DATA)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      float[] before = step(source, parameters, EXAMPLES, 1).gradient;
      float[] copy = parameters.clone();
      parameters[3] += 1;
      float[] after = step(source, parameters, EXAMPLES, 1).gradient;
      assertFalse(Arrays.equals(before, after));
      assertArrayEquals(before, step(source, copy, EXAMPLES, 1).gradient);
    }
  }

  @Test
  void initialParametersDependOnTheSeedAlone() {
    MultiLayerConfiguration network = Samples.mixed(1);
    float[] first = initial(network, 11, 0);
    assertArrayEquals(first, initial(Samples.mixed(1), 11, 3));
    assertFalse(Arrays.equals(first, initial(network, 12, 0)));
  }

  private static float[] initial(MultiLayerConfiguration network, long seed, int stepsBefore) {
    try (GradientSource source =
        new Dl4jGradientSource(Architecture.of(network, DATA.shape()), DATA)) {
      float[] parameters = new float[source.layout().size()];
      for (int i = 0; i < stepsBefore; i++) {
        source.initialize(i, parameters);
        step(source, parameters, 5, 1);
      }
      source.initialize(ModelSeeds.of(seed), parameters);
      return parameters;
    }
  }

  @Test
  void blocksAreNamedInMemoryOrderWithTheirKinds() {
    try (GradientSource source =
        new Dl4jGradientSource(Architecture.of(Samples.mixed(1), DATA.shape()), DATA)) {
      Layout layout = source.layout();
      assertEquals(
          "[conv1.b[4], conv1.W[4, 2, 3, 3], bn1.gamma[4], bn1.beta[4], bn1.mean[4],"
              + " bn1.log10stdev[4], fc1.W[8, 120], fc1.b[8], out.W[3, 8], out.b[3]]",
          layout.blocks().toString());
      assertEquals(List.of("conv1.W", "fc1.W", "out.W"), names(layout, Block.Kind.WEIGHT));
      assertEquals(
          List.of("bn1.mean", "bn1.log10stdev"), names(layout, Block.Kind.RUNNING_STATISTIC));
    }
  }

  private static List<String> names(Layout layout, Block.Kind kind) {
    return layout.blocks().stream().filter(b -> b.kind() == kind).map(Block::name).toList();
  }

  private static Block block(Layout layout, String name) {
    return layout.blocks().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void evaluationInChunksAgreesWithTheLossOfTraining() {
    DataSet data = Samples.data(600);
    try (GradientSource source =
        new Dl4jGradientSource(
            Architecture.of(Samples.dense(Activation.RELU), data.shape()), data)) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(ModelSeeds.of(5), parameters);
      int[] order = Samples.indices(600);
      source.begin(parameters, 1);
      double loss = source.accumulate(order, 0, 600);
      Evaluation evaluation = source.evaluate(parameters, order, 0, 600);
      assertEquals(loss / 600, evaluation.loss(), 1e-5);
      assertEquals(600, evaluation.examples());
      int correct = 0;
      for (int i = 0; i < 600; i++) {
        correct += (int) source.evaluate(parameters, order, i, i + 1).accuracy();
      }
      assertEquals(correct / 600.0, evaluation.accuracy(), 1e-12);
      // Labels are drawn apart from the features: beyond 100 and 300 are 8 standard deviations.
      assertTrue(correct > 100 && correct < 300, correct + " of 600 by chance");
    }
  }
}
