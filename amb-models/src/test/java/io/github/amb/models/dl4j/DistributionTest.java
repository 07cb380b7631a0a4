package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.random.Streams;
import io.github.amb.models.ModelSeeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {
  private static final int COUNT = 100_000;
  private static final double FAN_IN = 50;
  private static final double FAN_OUT = 30;

  /**
   * Variance, and the largest magnitude; of the truncated normal distribution the variance is 1 − 4
   * φ(2) / (2 Φ(2) − 1) = 0.7737413 times that of the whole. The mean of n values is within 6.5
   * deviations of 0, and the mean of their squares, whose own variance is at most twice the square
   * of the variance, within 6.5 √(2 / n) of it, but for one run of 1e10.
   */
  @ParameterizedTest
  @CsvSource({
    "zeros, 0, 0",
    "normal:0.1, 0.01, 1",
    "normal, 0.0025, 1",
    "truncated-normal:0.08, 0.00495194, 0.16",
    "uniform:0.3, 0.03, 0.3",
    "he-normal, 0.04, 2",
    "he-uniform, 0.04, 0.34641017",
    "glorot-normal, 0.025, 2",
    "glorot-uniform, 0.025, 0.27386129",
    "lecun-normal, 0.02, 2",
    "lecun-uniform, 0.02, 0.24494898"
  })
  void weightsHaveTheirVarianceAndBound(String text, double variance, double bound) {
    float[] weights = new float[COUNT + 2];
    weights[0] = 7;
    weights[COUNT + 1] = 7;
    var random = new Streams(ModelSeeds.of(1)).stream("test", 0, 0);
    Distribution.parse(text).draw(random, FAN_IN, FAN_OUT, weights, 1, COUNT + 1);
    double sum = 0;
    double squares = 0;
    for (int i = 1; i <= COUNT; i++) {
      assertTrue(Math.abs(weights[i]) <= bound * (1 + 0x1p-23), weights[i] + " > " + bound);
      sum += weights[i];
      squares += (double) weights[i] * weights[i];
    }
    assertEquals(0, sum / COUNT, 6.5 * Math.sqrt(variance / COUNT));
    assertEquals(variance, squares / COUNT, 6.5 * Math.sqrt(2.0 / COUNT) * variance);
    assertEquals(7, weights[0]);
    assertEquals(7, weights[COUNT + 1]);
  }

  @Test
  void denseLayersMayHaveAnother() {
    Initialization both = Initialization.parse("truncated-normal:0.08,dense=glorot-uniform");
    assertEquals(Distribution.parse("truncated-normal:0.08"), both.convolutions());
    assertEquals(Distribution.parse("glorot-uniform"), both.dense());
    Initialization one = Initialization.parse("zeros");
    assertEquals(one.convolutions(), one.dense());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "he",
        "normal:",
        "normal:0",
        "normal:-1",
        "normal:NaN",
        "normal:0.05d",
        "normal:0x1p-4",
        "zeros:1",
        "normal,zeros",
        "he-normal,dense=",
        "normal:1:2"
      })
  void anythingElseIsNoInitialization(String text) {
    assertThrows(RuntimeException.class, () -> Initialization.parse(text));
  }
}
