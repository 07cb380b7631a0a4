package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SketchTest {
  /** The model: of the least numbers in an index's two columns, the larger. */
  @Test
  void aSketchAnswersTheLargerOfItsColumnsLeasts() {
    RandomGenerator random = new Random(Seeds.of(1));
    int[] numbers = random.ints(2000, 0, 32).toArray();
    int columns = 600; // 0.3 per index
    int[][] least = new int[2][columns];
    for (int[] row : least) {
      Arrays.fill(row, 31);
    }
    MinMaxSketch sketch = new MinMaxSketch(5);
    sketch.clear(numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      sketch.insert(3 * i, numbers[i]);
      for (int row = 0; row < 2; row++) {
        int column = FixedHash.place(3 * i, row, columns);
        least[row][column] = Math.min(least[row][column], numbers[i]);
      }
    }
    for (int i = 0; i < numbers.length; i++) {
      int first = least[0][FixedHash.place(3 * i, 0, columns)];
      int second = least[1][FixedHash.place(3 * i, 1, columns)];
      assertEquals(Math.max(first, second), sketch.get(3 * i));
      assertTrue(sketch.get(3 * i) <= numbers[i]);
    }
  }

  /**
   * Collisions make a magnitude smaller, but leave it in its group: a quarter of those of its sign.
   * Of fewer than 8192 values of a sign the bins' bounds are exact.
   */
  @Test
  void magnitudesStayInTheirGroup() {
    Layout layout = CodecSamples.layout(new int[] {100, 100});
    float[] values = CodecSamples.laplace(layout.size(), 6);
    float[] decoded =
        CodecSamples.pass(
            CodecSamples.encoder(layout, "sketchml"),
            CodecSamples.decoder(layout, "sketchml"),
            values,
            1);
    Set<Float> magnitudes = new HashSet<>();
    for (int sign = 1; sign >= -1; sign -= 2) {
      float[] sorted = magnitudes(values, sign);
      for (int i = 0; i < values.length; i++) {
        if (Math.signum(values[i]) == sign) {
          int bin = bin(sorted, Math.abs(values[i]));
          float most = sorted[sorted.length * (bin + 1) / 128 - 1];
          float least = sorted[sorted.length * (bin / 32 * 32) / 128];
          float found = sign * decoded[i];
          assertTrue(least <= found && found <= most, least + " " + found + " " + most);
          magnitudes.add(decoded[i]);
        }
      }
    }
    assertTrue(magnitudes.size() <= 256);
  }

  private static float[] magnitudes(float[] values, int sign) {
    float[] all = new float[values.length];
    int count = 0;
    for (float value : values) {
      if (Math.signum(value) == sign) {
        all[count++] = Math.abs(value);
      }
    }
    float[] sorted = Arrays.copyOf(all, count);
    Arrays.sort(sorted);
    return sorted;
  }

  /** The first of 128 bins, of as many values each, whose largest is not below. */
  private static int bin(float[] sorted, float magnitude) {
    int bin = 0;
    while (sorted[sorted.length * (bin + 1) / 128 - 1] < magnitude) {
      bin++;
    }
    return bin;
  }

  /**
   * Means of buckets are no farther from their values than means of whole clusters: ‖x − d‖² is at
   * most the squared distances from those, but for half a place, 1/512 of a cluster's width, and
   * the rounding of a mean to a float. Entries that are left out are their own error.
   */
  @ParameterizedTest
  @CsvSource({"0.001, 1", "0.001, 2", "0.001, 4", "0.5, 4"})
  void errorsAreAtMostTheSpreadWithinClusters(double ratio, int clusters) {
    String coding = "lss:" + ratio + ",clusters=" + clusters;
    Layout layout = CodecSamples.layout(new int[] {200, 200});
    float[] values = CodecSamples.laplace(layout.size(), 6);
    float[] decoded =
        CodecSamples.pass(
            CodecSamples.encoder(layout, coding), CodecSamples.decoder(layout, coding), values, 1);
    Map<Double, List<Double>> byCluster = new HashMap<>();
    double places = 0;
    double dropped = 0;
    double sum = 0;
    double sumError = 0;
    for (int i = 0; i < values.length; i++) {
      sum += (double) values[i] - decoded[i];
      if (decoded[i] == 0) {
        dropped += (double) values[i] * values[i];
        sumError += Math.abs(values[i]);
      } else {
        double octave = Math.signum(values[i]) * Math.scalb(1.0, Math.getExponent(values[i]));
        double least = octave + octave / clusters * (int) ((values[i] / octave - 1) * clusters);
        byCluster.computeIfAbsent(least, key -> new ArrayList<>()).add((double) values[i]);
        double place = Math.abs(octave) / clusters / 512 + Math.abs(values[i]) * 0x1p-23;
        places += place * place;
        sumError += place;
      }
    }
    double spread = byCluster.values().stream().mapToDouble(SketchTest::spread).sum();
    // Values are off their place's middle by half a place, and so are the clusters' means.
    double most = Math.pow(Math.sqrt(spread) + 2 * Math.sqrt(places), 2) + dropped;
    double error = CodecSamples.squaredDistance(values, decoded);
    assertTrue(error <= most, () -> "squared error " + error + " of " + most);
    assertTrue(dropped <= ClusterCodes.MAX_DROPPED * CodecSamples.squaredNorm(values));
    assertEquals(0, sum, sumError, "means keep the sum");
  }

  private static double spread(List<Double> values) {
    double mean = values.stream().mapToDouble(value -> value).average().orElseThrow();
    return values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
  }

  /** A tenth of the places each, within what independent draws do but once in 1e10. */
  @Test
  void theHashSpreadsIndices() {
    assertEquals(0, FixedHash.place(0, 0, 1000));
    assertEquals(279, FixedHash.place(12345, 1, 1000));
    int[] counts = new int[10];
    for (int i = 0; i < 10_000; i++) {
      counts[FixedHash.place(i, 1, 10)]++;
    }
    for (int count : counts) {
      assertEquals(0.1, count / 10_000.0, Deviation.ofMean(10_000, 0.09, 0.9));
    }
  }
}
