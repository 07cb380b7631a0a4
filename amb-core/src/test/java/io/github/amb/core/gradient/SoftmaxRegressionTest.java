package io.github.amb.core.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoftmaxRegressionTest {
  private static final float[][] FEATURES = {{1, 2}, {3, -1}, {0, 1}, {2, 2}};
  private static final int[] LABELS = {0, 1, 1, 0};

  @Test
  void atZeroTheGradientIsTheNumberComputedByHand() {
    var model = new SoftmaxRegression(FEATURES, LABELS, 2, 3);
    float[] zero = new float[model.layout().size()];
    float[] gradient = new float[zero.length];
    model.begin(zero, 0);
    double loss = model.accumulate(new int[] {0, 1, 2}, 0, 2);
    model.finish(gradient);
    assertEquals(2 * Math.log(2), loss, 1e-12);
    // Errors are ∓½ for label 0, ±½ for label 1: W₀ = −½(1, 2) + ½(3, −1) = −W₁, b = 0.
    assertArrayEquals(new float[] {1, -1.5f, -1, 1.5f, 0, 0}, gradient);
  }

  /**
   * A central difference is off by h²/6 of the third derivative, which is at most |x|³ / (6√3) per
   * example, and by the losses' rounding, in doubles, over h; 32 operations per example. The
   * gradient is a sum of floats, of which factors and products round, too.
   */
  @Test
  void theGradientIsThatOfTheLossByFiniteDifferences() {
    Random random = new Random(Seeds.of(11));
    float[][] features = new float[30][5];
    int[] labels = random.ints(30, 0, 4).toArray();
    for (float[] row : features) {
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    var model = new SoftmaxRegression(features, labels, 4, 30);
    int[] examples = IntStream.range(0, 30).toArray();
    float[] w = new float[model.layout().size()];
    model.initialize(Seeds.of(12), w);
    float[] gradient = new float[w.length];
    model.begin(w, 0);
    double loss = model.accumulate(examples, 0, 30);
    model.finish(gradient);
    for (int i = 0; i < w.length; i++) {
      float[] up = w.clone();
      float[] down = w.clone();
      up[i] += 1e-3f;
      down[i] -= 1e-3f;
      double h = ((double) up[i] - down[i]) / 2;
      double slope = (loss(model, up, examples) - loss(model, down, examples)) / (2 * h);
      double sum = 0;
      double cubes = 0;
      for (float[] row : features) {
        double x = i < 20 ? Math.abs(row[i % 5]) : 1;
        sum += x;
        cubes += x * x * x;
      }
      double bend = h * h / 6 * cubes / (6 * Math.sqrt(3));
      double ofLosses = 30 * 32 * 0x1p-53 * (1 + loss) / h;
      assertEquals(slope, gradient[i], bend + ofLosses + 32 * 0x1p-24 * sum, "entry " + i);
    }
  }

  private static double loss(SoftmaxRegression model, float[] w, int[] examples) {
    model.begin(w, 0);
    return model.accumulate(examples, 0, examples.length);
  }

  @Test
  void partitionsAddUpToTheBatch() {
    var model = SoftmaxRegression.blobs(3, 4, 20, 0, Seeds.of(1));
    int[] examples = IntStream.range(0, 20).map(i -> 19 - i).toArray();
    float[] w = new float[model.layout().size()];
    model.initialize(Seeds.of(2), w);
    float[] batch = new float[w.length];
    model.begin(w, 0);
    double loss = model.accumulate(examples, 0, 20);
    model.finish(batch);
    float[] parts = new float[w.length];
    model.begin(w.clone(), 0);
    double lossOfParts = model.accumulate(examples, 0, 7) + model.accumulate(examples, 7, 20);
    model.finish(parts);
    assertArrayEquals(batch, parts);
    assertEquals(loss, lossOfParts, 20 * 0x1p-53 * loss, "20 additions");
  }

  @Test
  void parametersAreNotKept() {
    var model = new SoftmaxRegression(FEATURES, LABELS, 2, 3);
    float[] w = new float[model.layout().size()];
    model.begin(w, 0);
    Arrays.fill(w, Float.NaN);
    assertEquals(Math.log(2), model.accumulate(new int[] {0}, 0, 1), 1e-12);
  }

  @Test
  void evaluationScoresTestExamplesOnly() {
    var model = new SoftmaxRegression(FEATURES, LABELS, 2, 2);
    // Logit of class 1 is ln 3 times the first feature: P(1) = 1/2 for (0, 1), 9/10 for (2, 2).
    float ln3 = (float) Math.log(3);
    float[] w = {0, 0, ln3, 0, 0, 0};
    Evaluation evaluation = model.evaluate(w, new int[] {9, 0, 1, 9}, 1, 3);
    assertEquals((Math.log(2) + Math.log(10)) / 2, evaluation.loss(), 1e-6);
    assertEquals(2, evaluation.examples());
    // The tie goes to class 0, which is wrong, as class 1 is for the second.
    assertEquals(0, evaluation.accuracy());
    assertEquals(
        1, model.evaluate(new float[] {0, 0, -1, 1, 0, -0.5f}, new int[] {0}, 0, 1).accuracy());
  }

  @Test
  void lossesStayFiniteWhereProbabilitiesVanish() {
    var model = new SoftmaxRegression(FEATURES, LABELS, 2, 3);
    model.begin(new float[] {0, 0, 1000, 1000, 0, 0}, 0);
    assertEquals(3000, model.accumulate(new int[] {0}, 0, 1), 1e-9);
  }

  @Test
  void trainingSeparatesBlobs() {
    var model = SoftmaxRegression.blobs(5, 20, 500, 300, Seeds.of(7));
    int size = model.layout().size();
    float[] w = new float[size];
    model.initialize(Seeds.of(7), w);
    int[] all = IntStream.range(0, 500).toArray();
    int[] test = IntStream.range(0, 300).toArray();
    var update =
        new MasterUpdate(model.layout(), UpdateRules.named("sgd").create(size), WeightDecay.NONE);
    float[] gradient = new float[size];
    FloatBuffer[] sums = {FloatBuffer.wrap(gradient)};
    for (int step = 0; step < 100; step++) {
      model.begin(w, 0);
      model.accumulate(all, 0, 500);
      model.finish(gradient);
      update.apply(w, sums, new int[] {1}, 1, 500, 0.5);
    }
    double trained = model.evaluate(w, test, 0, 300).accuracy();
    double guesses = 0.2 + Deviation.ofMean(300, 0.2 * 0.8, 0.8);
    assertTrue(trained > guesses, () -> trained + " is not above guesses' " + guesses);
  }

  @Test
  void blobsAndInitialParametersDependOnTheSeedAlone() {
    assertArrayEquals(firstGradient(1, 2), firstGradient(1, 2));
    assertFalse(Arrays.equals(firstGradient(1, 2), firstGradient(3, 2)));
    assertFalse(Arrays.equals(firstGradient(1, 2), firstGradient(1, 3)));
  }

  private static float[] firstGradient(long data, long initial) {
    var model = SoftmaxRegression.blobs(3, 4, 20, 5, Seeds.of(data));
    float[] w = new float[model.layout().size()];
    model.initialize(Seeds.of(initial), w);
    model.begin(w, 0);
    model.accumulate(new int[] {3, 1}, 0, 2);
    model.finish(w);
    return w;
  }

  @Test
  void blobsHaveTheSizesAskedFor() {
    var model = SoftmaxRegression.blobs(3, 4, 20, 5, Seeds.of(1));
    assertEquals(20, model.trainingExamples());
    assertEquals(5, model.testExamples());
    assertEquals("[softmax.W[3, 4], softmax.b[3]]", model.layout().blocks().toString());
    assertEquals(15, model.layout().size());
  }
}
