package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.StoredExamples;
import org.junit.jupiter.api.Test;

class LinearModelDataTest {
  private static final int FEATURES = 100;
  private static final int COUNT = 5_000;

  /**
   * The residual sum of squares of the best fit is 10⁻³ χ² with COUNT − FEATURES degrees of
   * freedom; 6.5 standard deviations √(2 / degrees) are one run of 1e10.
   */
  @Test
  void theNoiseOfLinearDataHasItsVariance() {
    Examples train = DataSets.load("linear", null, ModelSeeds.of(1)).train();
    int degrees = COUNT - FEATURES;
    double variance = residuals(train) / degrees;
    assertEquals(1e-3, variance, 1e-3 * 6.5 * Math.sqrt(2.0 / degrees));
  }

  /** Squared residuals of the least-squares fit, by conjugate gradients on the normal equations. */
  private static double residuals(Examples examples) {
    double[][] x = new double[COUNT][];
    double[] residual = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      x[i] = features(examples, i);
      residual[i] = examples.target(i, 0);
    }
    double[] slope = transposed(x, residual);
    double[] direction = slope.clone();
    double size = square(slope);
    for (int step = 0; step < 2 * FEATURES && size > 1e-12; step++) {
      double[] image = times(x, direction);
      double length = size / square(image);
      for (int i = 0; i < COUNT; i++) {
        residual[i] -= length * image[i];
      }
      slope = transposed(x, residual);
      double next = square(slope);
      for (int j = 0; j < FEATURES; j++) {
        direction[j] = slope[j] + next / size * direction[j];
      }
      size = next;
    }
    return square(residual);
  }

  private static double[] features(Examples examples, int example) {
    float[] features = new float[FEATURES];
    examples.copyFeatures(example, features);
    double[] values = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      values[j] = features[j];
    }
    return values;
  }

  private static double[] transposed(double[][] x, double[] vector) {
    double[] sum = new double[FEATURES];
    for (int i = 0; i < COUNT; i++) {
      for (int j = 0; j < FEATURES; j++) {
        sum[j] += x[i][j] * vector[i];
      }
    }
    return sum;
  }

  private static double[] times(double[][] x, double[] vector) {
    double[] products = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      for (int j = 0; j < FEATURES; j++) {
        products[i] += x[i][j] * vector[j];
      }
    }
    return products;
  }

  private static double square(double[] vector) {
    double sum = 0;
    for (double value : vector) {
      sum += value * value;
    }
    return sum;
  }

  @Test
  void theClassOfLinearDataIsItsSign() {
    Examples test = DataSets.load("linear", null, ModelSeeds.of(1)).test();
    for (int i = 0; i < test.count(); i++) {
      assertEquals(test.target(i, 0) > 0 ? 1 : 0, test.label(i));
    }
  }

  /** By Hoeffding within the bound, but for one run of 1e10. */
  @Test
  void halfOfLogisticDataIsOfEitherClass() {
    Examples train = DataSets.load("logistic", null, ModelSeeds.of(1)).train();
    double ones = 0;
    for (int i = 0; i < train.count(); i++) {
      ones += train.target(i, 0);
      assertEquals(train.label(i), train.target(i, 0));
    }
    assertEquals(0.5, ones / train.count(), Math.sqrt(Math.log(2e10) / 2 / train.count()));
  }

  @Test
  void theSeedDecides() {
    float once = DataSets.load("linear", null, ModelSeeds.of(1)).train().target(0, 0);
    assertNotEquals(once, DataSets.load("linear", null, ModelSeeds.of(2)).train().target(0, 0));
    assertEquals(once, DataSets.load("linear", null, ModelSeeds.of(1)).train().target(0, 0));
  }

  @Test
  void theLastOneIsShared() {
    DataSet once = DataSets.load("linear", null, ModelSeeds.of(1));
    assertSame(once, DataSets.load("linear", null, ModelSeeds.of(1)));
    assertNotSame(once, DataSets.load("linear", null, ModelSeeds.of(2)));
    assertNotSame(once, DataSets.load("linear", null, ModelSeeds.of(1)));
  }

  @Test
  void targetsStayWithExamplesThatAreSelectedOrScaled() {
    DataSet data = DataSets.load("linear", null, ModelSeeds.of(1));
    DataSet scaled = ScaledExamples.scale(data, new ImageShape(1, 5, 5));
    DataSet mirrored = Augmentation.named("flip").of(data);
    var selected = new SelectedExamples((StoredExamples) data.train(), new int[] {7});
    float target = data.train().target(7, 0);
    assertEquals(target, scaled.train().target(7, 0));
    assertEquals(target, mirrored.train().target(7, 0));
    assertEquals(target, selected.target(0, 0));
  }
}
