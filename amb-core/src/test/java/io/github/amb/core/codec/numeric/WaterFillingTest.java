package io.github.amb.core.codec.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaterFillingTest {
  @Property(tries = 500)
  void probabilitiesAreOptimalForTheBudget(
      @ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = 0.01, max = 1000) Double> atoms,
      @ForAll @DoubleRange(min = 0.01, max = 0.99) double share) {
    double[] magnitudes = atoms.stream().mapToDouble(atom -> atom).toArray();
    double budget = share * magnitudes.length;
    double level = WaterFilling.level(magnitudes, magnitudes.length, budget);
    double sum = 0;
    for (double magnitude : magnitudes) {
      double p = WaterFilling.probability(magnitude, level);
      sum += p;
      // Karush-Kuhn-Tucker: λ²/p² is the same for all p < 1, and no less where p = 1.
      assertTrue(p == 1 ? magnitude >= level : Math.abs(magnitude / p - level) < 1e-9 * level);
    }
    assertEquals(budget, sum, 1e-9 * magnitudes.length);
  }

  /** The largest atom is at the level but for rounding, so that it is above it at times. */
  @ParameterizedTest
  @CsvSource({
    "0.7 0.1 1 0.2, 2, 1",
    "3 1 0.1 0.1, 1.4, 3",
    "0.9 1.1 0.9 0.9, 3.4545454545454546, 1.1"
  })
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anAtomAtTheLevelEndsTheSearch(String atoms, double budget, double level) {
    double[] magnitudes = Arrays.stream(atoms.split(" ")).mapToDouble(Double::valueOf).toArray();
    assertEquals(level, WaterFilling.level(magnitudes, magnitudes.length, budget), 1e-12);
  }

  @Test
  void isTheLevelOfThePapersAlgorithm() {
    double[] magnitudes = {5, 0.1, 3, 0.4, 0, 1.2, 8};
    for (double budget = 0.5; budget < 6; budget += 0.5) {
      double[] sorted = magnitudes.clone();
      Arrays.sort(sorted);
      double sum = Arrays.stream(sorted).sum();
      double left = budget;
      int i = sorted.length - 1;
      while (sorted[i] * left > sum) {
        left--;
        sum -= sorted[i--];
      }
      assertEquals(sum / left, WaterFilling.level(magnitudes, 7, budget), 1e-12);
    }
  }

  @Test
  void everythingIsKeptIfItFits() {
    double level = WaterFilling.level(new double[] {1, 0, 2}, 3, 2);
    assertEquals(1, WaterFilling.probability(1, level));
    assertEquals(0, WaterFilling.probability(0, level));
  }
}
