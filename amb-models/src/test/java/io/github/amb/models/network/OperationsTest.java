package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Six operations per weight and place, and four in the first layer, whose input needs none. */
class OperationsTest {
  @Test
  void denseLayersMultiplyByEachWeightOnce() {
    assertEquals(4 * 784 * 100 + 6 * 100 * 10, of("sigmoid-mlp"));
  }

  @Test
  void convolutionsMultiplyByEachWeightAtEachPlace() {
    long first = 20 * 24 * 24 * 25;
    long second = 50 * 8 * 8 * 20 * 25;
    long dense = 800 * 500 + 500 * 10;
    assertEquals(4 * first + 6 * (second + dense), of("lenet"));
  }

  private static long of(String network) {
    return Networks.operations(network).orElseThrow();
  }
}
