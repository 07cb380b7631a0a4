package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuadraticObjectiveTest {
  private static GradientSource open(String name) {
    return Networks.open("quadratic", DataSets.load(name, null, 5));
  }

  private static float[] gradient(GradientSource source, float[] x, long seed, int... examples) {
    float[] sum = new float[x.length];
    source.begin(x, seed);
    source.accumulate(examples, 0, examples.length);
    source.finish(sum);
    return sum;
  }

  private static float[] point(int d, long seed) {
    Random random = new Random(seed);
    float[] x = new float[d];
    IntStream.range(0, d).forEach(i -> x[i] = (float) random.nextGaussian());
    return x;
  }

  /** f(x) = x'Ax/2 - b'x with A in full, L = 8. */
  private static double f(double[] x) {
    double value = 2 * x[0];
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        double entry = i == j ? 4 : Math.abs(i - j) == 1 ? -2 : 0;
        value += x[i] * entry * x[j] / 2;
      }
    }
    return value;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9})
  void valueAndGradientAreThoseOfTheMatrix(int d) {
    try (GradientSource source = open("quadratic:L=8,noise=0,d=" + d)) {
      float[] x = point(d, d);
      double[] exact = new double[d];
      Arrays.setAll(exact, i -> x[i]);
      float[] gradient = gradient(source, x, 1, 0, 1, 2);
      double norm = 0;
      double[] optimum = new double[d];
      for (int i = 0; i < d; i++) {
        double h = 1e-4;
        double[] up = exact.clone();
        double[] down = exact.clone();
        up[i] += h;
        down[i] -= h;
        double slope = (f(up) - f(down)) / (2 * h);
        assertEquals(3 * slope, gradient[i], 1e-5);
        norm += slope * slope;
        optimum[i] = (i + 1.0) / (d + 1) - 1;
      }
      Evaluation found = source.evaluate(x, new int[] {0}, 0, 1);
      assertEquals(f(exact) - f(optimum), found.loss(), 1e-9);
      assertEquals(norm, source.metrics(x, found).get("squared_gradient_norm"), 1e-6);
      assertTrue(Double.isNaN(found.accuracy()));
      for (int i = 0; i < d; i++) {
        x[i] = (float) optimum[i];
      }
      assertEquals(0, source.evaluate(x, new int[] {0}, 0, 1).loss(), 1e-12);
    }
  }

  @Test
  void noiseHasTheVarianceOfItsDraws() {
    int d = 20_000;
    try (GradientSource exact = open("quadratic:noise=0,d=" + d);
        GradientSource noisy = open("quadratic:noise=0.5,d=" + d);
        GradientSource scalar = open("quadratic:noise=0.5,scalar,d=" + d)) {
      float[] x = new float[d];
      float[] without = gradient(exact, x, 1, 0, 1, 2, 3);
      float[] with = gradient(noisy, x, 1, 0, 1, 2, 3);
      double variance =
          IntStream.range(0, d)
              .mapToDouble(i -> Math.pow(with[i] - without[i], 2))
              .average()
              .orElse(0);
      // Of d squares of N(0, 1), the mean has the standard deviation sqrt(2 / d); six of these.
      assertEquals(4 * 0.25, variance, 6 * Math.sqrt(2.0 / d));
      assertArrayEquals(with, gradient(noisy, x, 1, 0, 1, 2, 3));
      assertNotEquals(with[5], gradient(noisy, x, 2, 0, 1, 2, 3)[5]);
      float[] same = gradient(scalar, x, 1, 0);
      assertNotEquals(0, same[1]);
      assertEquals(1, IntStream.range(1, d).mapToObj(i -> same[i]).distinct().count());
    }
  }

  @Test
  void partsDifferAndTheirMeanIsTheFunction() {
    DataSet data = DataSets.load("quadratic:d=20,parts=7,noise=0", null, 5);
    try (GradientSource source = Networks.open("quadratic", data);
        GradientSource whole = open("quadratic:d=20,noise=0")) {
      float[] x = point(20, 1);
      double[] mean = new double[20];
      ExampleOrder first =
          Sharding.CONTIGUOUS.order(new Streams(1), data.train().count(), e -> 0, 7);
      for (int worker = 0; worker < 7; worker++) {
        int[] batch = new int[50];
        first.of(worker).peek(batch);
        int part = worker;
        assertTrue(Arrays.stream(batch).allMatch(e -> data.train().label(e) == part));
        float[] one = gradient(source, x, 1, batch);
        assertNotEquals(whole.evaluate(x, batch, 0, 1).loss(), one[3]);
        IntStream.range(0, 20).forEach(i -> mean[i] += one[i] / 50 / 7);
      }
      float[] expected = gradient(whole, x, 1, 0);
      for (int i = 0; i < 20; i++) {
        assertEquals(expected[i], mean[i], 1e-5);
      }
      assertEquals(
          whole.evaluate(x, new int[] {0}, 0, 1).loss(),
          source.evaluate(x, new int[] {0}, 0, 1).loss());
    }
  }

  @Test
  void theStartIsThatOfTheAuthors() {
    try (GradientSource source = open("quadratic")) {
      float[] x = new float[1729];
      source.initialize(3, x);
      assertEquals(Math.sqrt(1729), x[0], 1e-5);
      assertEquals(0, x[1]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quadratic:d=0", "quadratic:L=-1", "quadratic:x=3", "digits:d=3"})
  void wrongArgumentsAreRejected(String name) {
    assertThrows(UsageException.class, () -> DataSets.load(name, null, 1));
  }

  @Test
  void onlyItsOwnNetworkFits() {
    DataSet quadratic = DataSets.load("quadratic:d=9", null, 1);
    DataSet digits = DataSets.load("digits", null, 1);
    Networks.check(Networks.named("quadratic"), quadratic);
    assertThrows(UsageException.class, () -> Networks.check(Networks.named("mlp:8"), quadratic));
    assertThrows(UsageException.class, () -> Networks.check(Networks.named("quadratic"), digits));
    assertEquals("quadratic", Networks.defaultFor("quadratic:d=9"));
  }
}
