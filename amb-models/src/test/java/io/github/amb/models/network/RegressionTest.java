package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.dl4j.Dl4jGradientSource;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Linear and logistic regression against their formulas in double precision, on both engines. */
class RegressionTest {
  private static final int[] EXAMPLES = {3, 1, 4, 15, 9, 2, 6, 5, 35, 8};

  /** Sums of 10 products of floats: 101 roundings of 2⁻²⁴ relative to the largest sum. */
  private static final double ROUNDING = 128 * 0x1p-24;

  private final SplittableRandom random = new SplittableRandom(ModelSeeds.of(1));

  @ParameterizedTest
  @CsvSource({"linear, false", "linear, true", "logistic, false", "logistic, true"})
  void linearRegressionIsLeastSquares(String name, boolean dl4j) {
    DataSet data = DataSets.load(name, null, ModelSeeds.of(2));
    try (GradientSource source = open("linear-regression", data, dl4j)) {
      float[] w = parameters(source);
      double[] expected = new double[w.length];
      double loss = 0;
      for (int example : EXAMPLES) {
        double[] x = features(data.train(), example, w.length);
        double error = product(w, 0, x) - data.train().target(example, 0);
        loss += error * error;
        add(expected, 0, 2 * error, x);
      }
      assertGradient(expected, loss, source, w);
    }
  }

  @ParameterizedTest
  @CsvSource({"logistic, false", "logistic, true", "linear, false"})
  void logisticRegressionIsSoftmax(String name, boolean dl4j) {
    DataSet data = DataSets.load(name, null, ModelSeeds.of(2));
    try (GradientSource source = open("logistic-regression", data, dl4j)) {
      float[] w = parameters(source);
      int width = w.length / 2;
      // The layout is W, then b; a row of the reference is one class's weights and bias.
      float[] rows = rows(w, width - 1);
      double[] sums = new double[w.length];
      double loss = 0;
      for (int example : EXAMPLES) {
        double[] x = features(data.train(), example, width);
        double margin = product(rows, width, x) - product(rows, 0, x);
        int label = data.train().label(example);
        double p1 = 1 / (1 + Math.exp(-margin));
        loss -= Math.log(label == 1 ? p1 : 1 - p1);
        add(sums, 0, 1 - p1 - (1 - label), x);
        add(sums, width, p1 - label, x);
      }
      assertGradient(flat(sums, width - 1), loss, source, w);
    }
  }

  private static GradientSource open(String network, DataSet data, boolean dl4j) {
    if (!dl4j) {
      return Networks.open(network, data);
    }
    var requirements = new Requirements(data.shape(), data.classes(), Norm.NONE);
    return new Dl4jGradientSource(Networks.definition(network).architecture(requirements), data);
  }

  private float[] parameters(GradientSource source) {
    float[] w = new float[source.layout().size()];
    for (int i = 0; i < w.length; i++) {
      w[i] = (float) (random.nextDouble() - 0.5);
    }
    return w;
  }

  /** With a 1 at the end, for the bias. */
  private static double[] features(Examples examples, int example, int width) {
    float[] x = new float[width - 1];
    examples.copyFeatures(example, x);
    double[] all = new double[width];
    for (int i = 0; i < x.length; i++) {
      all[i] = x[i];
    }
    all[x.length] = 1;
    return all;
  }

  private static double product(float[] w, int from, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += w[from + i] * x[i];
    }
    return sum;
  }

  private static void add(double[] sum, int from, double factor, double[] x) {
    for (int i = 0; i < x.length; i++) {
      sum[from + i] += factor * x[i];
    }
  }

  private static float[] rows(float[] w, int features) {
    float[] rows = new float[w.length];
    for (int c = 0; c < 2; c++) {
      System.arraycopy(w, c * features, rows, c * (features + 1), features);
      rows[c * (features + 1) + features] = w[2 * features + c];
    }
    return rows;
  }

  private static double[] flat(double[] rows, int features) {
    double[] flat = new double[rows.length];
    for (int c = 0; c < 2; c++) {
      System.arraycopy(rows, c * (features + 1), flat, c * features, features);
      flat[2 * features + c] = rows[c * (features + 1) + features];
    }
    return flat;
  }

  private static void assertGradient(
      double[] expected, double loss, GradientSource source, float[] w) {
    source.begin(w, 1);
    double found = source.accumulate(EXAMPLES, 0, 4) + source.accumulate(EXAMPLES, 4, 10);
    float[] gradient = new float[w.length];
    source.finish(gradient);
    found += source.deferredLoss();
    double largest = 1;
    for (double entry : expected) {
      largest = Math.max(largest, Math.abs(entry));
    }
    for (int i = 0; i < w.length; i++) {
      assertEquals(expected[i], gradient[i], ROUNDING * 10 * largest, "entry " + i);
    }
    assertEquals(loss, found, ROUNDING * 10 * loss);
  }

  @Test
  void trainingStartsAtZero() {
    for (String name : new String[] {"linear", "logistic"}) {
      try (GradientSource source = Networks.open(name + "-regression", data(name))) {
        float[] w = new float[source.layout().size()];
        source.initialize(ModelSeeds.of(3), w);
        assertArrayEquals(new float[w.length], w);
      }
    }
  }

  private static DataSet data(String name) {
    return DataSets.load(name, null, ModelSeeds.of(2));
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void aPredictionIsRightWithinHalf(boolean dl4j) {
    DataSet data = data("linear");
    try (GradientSource source = open("linear-regression", data, dl4j)) {
      float[] w = new float[source.layout().size()];
      double loss = 0;
      int right = 0;
      for (int example : EXAMPLES) {
        float y = data.test().target(example, 0);
        loss += (double) y * y / EXAMPLES.length;
        right += Math.abs(y) < 0.5 ? 1 : 0;
      }
      Evaluation found = source.evaluate(w, EXAMPLES, 0, EXAMPLES.length);
      assertEquals(loss, found.loss(), ROUNDING * loss);
      assertEquals(right / 10.0, found.accuracy());
    }
  }

  @Test
  void aNumberIsPredictedByOneOutput() {
    assertEquals(
        101,
        Networks.parameters(
            Networks.named("linear-regression"), NetworkOptions.USUAL, data("linear").form()));
    assertEquals(
        202,
        Networks.parameters(
            Networks.named("logistic-regression"), NetworkOptions.USUAL, data("linear").form()));
    assertEquals(0, Networks.summary("linear-regression").statistics());
  }
}
