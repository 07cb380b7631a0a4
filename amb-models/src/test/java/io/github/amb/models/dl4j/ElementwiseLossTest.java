package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.SmoothedLabels;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.onednn.OneDnnGradientSource;
import java.nio.FloatBuffer;
import java.util.Random;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.activations.Activation;

class ElementwiseLossTest {
  private static final int EXAMPLES = 16;
  private static final int FEATURES = 6;
  private static final int OUTPUTS = 3;
  private static final int[] ORDER = Samples.indices(EXAMPLES);

  /**
   * Sums of at most 64 products of floats, each rounded, in a forward and a backward pass of two
   * layers; DL4J also rounds each step of its losses, and those have up to four.
   */
  private static final double ROUNDING = 64 * 8 * 0x1p-24;

  private static DataSet set(Labels labels, long seed) {
    Random random = new Random(seed);
    float[] features = new float[labels.count() * FEATURES];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    var all = new FloatExamples(FloatBuffer.wrap(features), labels);
    int classes = labels.targets() == Targets.CLASS ? 2 : labels.outputs();
    return new DataSet("made", new ImageShape(1, 1, FEATURES), classes, all, all);
  }

  /** Labels for losses that decide; numbers away from 0 and 1 for others. */
  private static DataSet several(Loss loss, long seed) {
    Random random = new Random(seed);
    float[] numbers = new float[EXAMPLES * OUTPUTS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = loss.isBinary() ? random.nextInt(2) : 0.1f + 0.8f * random.nextFloat();
    }
    Targets targets = loss.isBinary() ? Targets.LABELS : Targets.NUMBERS;
    return set(Labels.of(targets, numbers, EXAMPLES), seed);
  }

  private static Architecture network(Loss loss, int outputs) {
    return Architecture.of(
        Dl4jSetup.builder()
            .list()
            .layer(new DenseLayer.Builder().name("fc1").nOut(5).activation(Activation.TANH).build())
            .layer(
                new OutputLayer.Builder(loss.function())
                    .name("out")
                    .nOut(outputs)
                    .activation(loss.activation())
                    .build())
            .setInputType(InputType.feedForward(FEATURES))
            .build(),
        new ImageShape(1, 1, FEATURES));
  }

  private static double gradient(GradientSource source, float[] w, float[] gradient) {
    source.begin(w, 1);
    double loss = source.accumulate(ORDER, 0, 7) + source.accumulate(ORDER, 7, EXAMPLES);
    source.finish(gradient);
    return loss + source.deferredLoss();
  }

  @ParameterizedTest
  @EnumSource(value = Loss.class, mode = EnumSource.Mode.EXCLUDE, names = "MCXENT")
  void lossAndGradientAreThoseOfDl4j(Loss loss) {
    for (int seed = 0; seed < 5; seed++) {
      DataSet data = several(loss, ModelSeeds.of(seed));
      Architecture network = network(loss, OUTPUTS);
      assertEquals("", network.misfit(data.targets(), OUTPUTS).orElse(""));
      try (GradientSource fast = OneDnnGradientSource.of(network, data).orElseThrow();
          GradientSource slow = new Dl4jGradientSource(network, data)) {
        float[] w = new float[fast.layout().size()];
        fast.initialize(ModelSeeds.of(seed), w);
        float[] found = new float[w.length];
        float[] expected = new float[w.length];
        double sum = gradient(fast, w, found);
        assertEquals(gradient(slow, w, expected), sum, ROUNDING * scale(expected));
        for (int i = 0; i < w.length; i++) {
          assertEquals(expected[i], found[i], ROUNDING * scale(expected), "entry " + i);
        }
        Evaluation one = fast.evaluate(w, ORDER, 0, EXAMPLES);
        Evaluation other = slow.evaluate(w, ORDER, 0, EXAMPLES);
        assertEquals(sum / EXAMPLES, one.loss(), ROUNDING * scale(expected));
        assertEquals(other.loss(), one.loss(), ROUNDING * scale(expected));
        assertEquals(other.accuracy(), one.accuracy());
        assertEquals(!loss.isBinary(), Double.isNaN(one.accuracy()));
      }
    }
  }

  private static double scale(float[] gradient) {
    double largest = 1;
    for (float entry : gradient) {
      largest = Math.max(largest, Math.abs(entry));
    }
    return EXAMPLES * largest;
  }

  private static DataSet twoClasses() {
    return set(Labels.of(new int[] {0, 1}), 1);
  }

  @Test
  void oneOutputDecidesBetweenTwoClasses() {
    DataSet data = twoClasses();
    int[] both = {0, 1};
    for (Loss loss : new Loss[] {Loss.XENT, Loss.HINGE}) {
      OutputLoss of = OutputLoss.of(network(loss, 1));
      float[] rows = {-0.5f, -0.25f};
      of.beginScores();
      of.score(rows.clone(), data.train(), both, 0, 2);
      assertEquals(0.5, of.scores().accuracy());
      double sum = of.lossAndGradient(rows, data.train(), both, 0, 2);
      double first = 1 / (1 + Math.exp(0.5));
      double second = 1 / (1 + Math.exp(0.25));
      boolean sigmoid = loss == Loss.XENT;
      assertEquals(
          sigmoid ? -Math.log(1 - first) - Math.log(second) : 0.5 + 1.25, sum, 4 * 0x1p-52);
      assertEquals(sigmoid ? first : 1, rows[0], 0x1p-24);
      assertEquals(sigmoid ? second - 1 : -1, rows[1], 0x1p-24);
    }
  }

  @Test
  void eachOutputExpectsItsClassAlone() {
    float[] rows = {0.25f, 0.75f, 0.5f, 0.25f};
    double sum =
        OutputLoss.of(network(Loss.L2, 2))
            .lossAndGradient(rows, twoClasses().train(), new int[] {0, 1}, 0, 2);
    assertEquals(0.75 * 0.75 * 2 + 0.5 * 0.5 + 0.75 * 0.75, sum);
    assertEquals(-1.5f, rows[0]);
    assertEquals(1.5f, rows[1]);
  }

  @Test
  void classesAndLabelsHaveWeights() {
    for (Loss loss : new Loss[] {Loss.XENT, Loss.MCXENT}) {
      DataSet plain = twoClasses();
      DataSet weighted = SmoothedLabels.of(plain, 0, "1,3");
      OutputLoss of = OutputLoss.of(network(loss, loss == Loss.XENT ? 1 : 2));
      int[] second = {1};
      float[] rows = {0.5f, 0.25f};
      float[] thrice = rows.clone();
      double once = of.lossAndGradient(rows, plain.train(), second, 0, 1);
      assertEquals(3 * once, of.lossAndGradient(thrice, weighted.train(), second, 0, 1));
      assertEquals(3 * rows[0], thrice[0]);
      assertEquals(1, weighted.test().weight(1));
    }
    DataSet labels = several(Loss.XENT, 1);
    DataSet weighted = SmoothedLabels.of(labels, 0, "0.5,1,2");
    OutputLoss of = OutputLoss.of(network(Loss.XENT, OUTPUTS));
    float[] rows = {1, -2, 3};
    float[] other = rows.clone();
    of.lossAndGradient(rows, labels.train(), new int[1], 0, 1);
    of.lossAndGradient(other, weighted.train(), new int[1], 0, 1);
    assertEquals(rows[0] / 2, other[0]);
    assertEquals(rows[1], other[1]);
    assertEquals(rows[2] * 2, other[2]);
  }

  @Test
  void wrongWeightsAreRejected() {
    assertTrue(SmoothedLabels.areWeights("0.5,2"));
    for (String text : new String[] {"", "0,1", "-1,1", "1,,2", "1e39,1", "nan,1", "balanced"}) {
      assertEquals(false, SmoothedLabels.areWeights(text), text);
    }
    assertProblem("for each of 2 classes of data set made, found 3", twoClasses(), "1,2,3");
    assertProblem("for each of 3 labels", several(Loss.XENT, 1), "1");
    DataSet weighted = SmoothedLabels.of(twoClasses(), 0, "1,3");
    Architecture network = network(Loss.MCXENT, 2);
    assertThrows(UsageException.class, () -> new Dl4jGradientSource(network, weighted));
  }

  private static void assertProblem(String expected, DataSet data, String weights) {
    String problem =
        assertThrows(UsageException.class, () -> SmoothedLabels.of(data, 0, weights)).getMessage();
    assertTrue(problem.contains(expected), problem);
  }

  @Test
  void lossesThatDoNotFitWhatIsPredictedAreNamed() {
    assertMisfit("loss mcxent, found numbers", Loss.MCXENT, 3, Targets.NUMBERS, 3);
    assertMisfit("loss mcxent, found labels", Loss.MCXENT, 3, Targets.LABELS, 3);
    assertMisfit("loss hinge, found numbers", Loss.HINGE, 3, Targets.NUMBERS, 3);
    assertMisfit("2 outputs, found 3 numbers", Loss.MSE, 2, Targets.NUMBERS, 3);
    assertMisfit("1 outputs, found 3 labels", Loss.XENT, 1, Targets.LABELS, 3);
    assertMisfit("1 outputs, found 3 classes", Loss.XENT, 1, Targets.CLASS, 3);
    assertMisfit("", Loss.XENT, 1, Targets.CLASS, 2);
    assertMisfit("", Loss.MSE, 1, Targets.CLASS, 3);
    assertMisfit("", Loss.MSE, 3, Targets.LABELS, 3);
  }

  private static void assertMisfit(
      String expected, Loss loss, int outputs, Targets targets, int classes) {
    String found = network(loss, outputs).misfit(targets, classes).orElse("");
    assertTrue(expected.isEmpty() ? found.isEmpty() : found.contains(expected), found);
  }
}
