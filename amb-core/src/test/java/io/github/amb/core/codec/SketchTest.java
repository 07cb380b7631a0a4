package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Layout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SketchTest {
  @Test
  void numbersOfASketchAreNeverLargerThanWhatWasPutIn() {
    MinMaxSketch sketch = new MinMaxSketch(5);
    int indices = 2000;
    sketch.clear(indices);
    for (int i = 0; i < indices; i++) {
      sketch.insert(3 * i, i % 32);
    }
    int exact = 0;
    for (int i = 0; i < indices; i++) {
      assertTrue(sketch.get(3 * i) <= i % 32);
      exact += sketch.get(3 * i) == i % 32 ? 1 : 0;
    }
    assertTrue(exact > indices / 20, "exact: " + exact);
  }

  @Test
  void signsSurviveAndMagnitudesAreThoseOfBins() {
    Layout layout = Sample.layout(new int[] {200, 200});
    float[] values = Sample.laplace(layout.size(), 6);
    float[] decoded =
        Sample.pass(
            Sample.encoder(layout, "sketchml"), Sample.decoder(layout, "sketchml"), values, 1);
    Set<Float> magnitudes = new HashSet<>();
    for (int i = 0; i < values.length; i++) {
      assertEquals(Math.signum(values[i]), Math.signum(decoded[i]), "entry " + i);
      magnitudes.add(decoded[i]);
    }
    assertTrue(magnitudes.size() <= 256);
    double error = Sample.squaredDistance(values, decoded) / Sample.squaredNorm(values);
    assertTrue(error < 0.25, () -> "relative error " + error);
  }

  @ParameterizedTest
  @CsvSource({"0.001, 1, 0.04", "0.001, 2, 0.013", "0.001, 4, 0.0052", "0.5, 4, 0.005"})
  void moreClustersComeNearer(double ratio, int clusters, double most) {
    String coding = "lss:" + ratio + ",clusters=" + clusters;
    Layout layout = Sample.layout(new int[] {200, 200});
    float[] values = Sample.laplace(layout.size(), 6);
    float[] decoded =
        Sample.pass(Sample.encoder(layout, coding), Sample.decoder(layout, coding), values, 1);
    double error = Sample.squaredDistance(values, decoded) / Sample.squaredNorm(values);
    assertTrue(error < most, () -> "relative error " + error);
    assertEquals(sum(values), sum(decoded), 1e-3 * values.length, "means keep the sum");
  }

  private static double sum(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum;
  }

  @Test
  void theHashIsFixed() {
    assertEquals(0, FixedHash.place(0, 0, 1000));
    assertEquals(FixedHash.place(12345, 1, 1000), FixedHash.place(12345, 1, 1000));
    int[] counts = new int[10];
    for (int i = 0; i < 10_000; i++) {
      counts[FixedHash.place(i, 1, 10)]++;
    }
    for (int count : counts) {
      assertEquals(1000, count, 150);
    }
  }
}
