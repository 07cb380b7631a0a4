package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void theMedianIsTheMiddleOne() {
    assertEquals(3, Sample.of(9, 1, 3).median());
  }

  @Test
  void theMedianOfAnEvenNumberIsAMean() {
    assertEquals(2.5, Sample.of(4, 1, 3, 2).median());
  }

  @Test
  void nineOfTenAreNotAboveThe90thPercentile() {
    assertEquals(9, Sample.of(10, 9, 8, 7, 6, 5, 4, 3, 2, 1).p90());
    assertEquals(7, Sample.of(7).p90());
    assertEquals(2, Sample.of(1, 2).p90());
  }

  @Test
  void conversionAppliesToEachMeasurement() {
    Sample inverse = Sample.of(1, 2, 4).map(x -> 1 / x);
    assertEquals(0.25, inverse.min());
    assertEquals(0.5, inverse.median());
    assertEquals(1, inverse.max());
    assertEquals(3, inverse.count());
  }

  @Test
  void anEmptySampleIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> Sample.of());
  }

  @Property(tries = 200)
  void asManyMeasurementsAreBelowTheMedianAsAbove(
      @ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0, max = 9) Double> values) {
    double[] given = values.stream().mapToDouble(Double::doubleValue).toArray();
    double median = Sample.of(given).median();
    assertTrue(values.stream().filter(v -> v < median).count() <= values.size() / 2);
    assertTrue(values.stream().filter(v -> v > median).count() <= values.size() / 2);
  }

  @Test
  void measurementsAreNotReordered() {
    double[] given = {3, 1, 2};
    Sample.of(given);
    assertArrayEquals(new double[] {3, 1, 2}, given);
  }
}
