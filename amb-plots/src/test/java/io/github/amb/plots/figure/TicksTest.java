package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.data.Range;
import org.junit.jupiter.api.Test;

class TicksTest {
  @Test
  void labelsOfAnAxisHaveTheSameDecimalsAndSuffix() {
    assertLabels(new Range(0, 2.4), 6, "0", "0.5", "1.0", "1.5", "2.0");
    assertLabels(new Range(0, 0.95), 5, "0", "0.2", "0.4", "0.6", "0.8");
    assertLabels(new Range(0, 2.1e6), 5, "0", "0.5M", "1.0M", "1.5M", "2.0M");
    assertLabels(new Range(0, 45_000), 5, "0", "10k", "20k", "30k", "40k");
    assertLabels(new Range(0, 4500), 5, "0", "1000", "2000", "3000", "4000");
    assertLabels(new Range(0, 3.2e-4), 4, "0", "1e-4", "2e-4", "3e-4");
    assertLabels(new Range(0, 6e9), 3, "0", "2G", "4G", "6G");
    assertLabels(new Range(0, 3e11), 3, "0", "100G", "200G", "300G");
    assertLabels(new Range(0, 3.4e38), 4, "0", "1e38", "2e38", "3e38");
  }

  @Test
  void wholeNumbersHaveNoTicksBetweenThem() {
    assertEquals(1, Ticks.over(new Range(0, 2), 6, true).getSize());
    assertEquals(0.5, Ticks.over(new Range(0, 2), 6, false).getSize());
  }

  @Property
  void unitIsTheSmallestRoundOneThatIsLargeEnough(
      @ForAll @DoubleRange(min = 0.01, max = 1e9) double length,
      @ForAll @IntRange(min = 2, max = 12) int most) {
    double unit = Ticks.over(new Range(0, length), most, false).getSize();

    assertTrue(length / unit <= most * (1 + 1e-6), length + " / " + unit);
    double mantissa = unit / Math.pow(10, Math.floor(Math.log10(unit) + 1e-6));
    assertTrue(
        Math.abs(mantissa - 1) < 1e-6
            || Math.abs(mantissa - 2) < 1e-6
            || Math.abs(mantissa - 5) < 1e-6,
        "unit " + unit);
    double smaller = Math.abs(mantissa - 5) < 1e-6 ? unit / 2.5 : unit / 2;
    assertTrue(length / smaller > most * (1 - 1e-6), "a unit of " + smaller + " would do");
  }

  private static void assertLabels(Range range, int most, String... labels) {
    NumberTickUnit unit = Ticks.over(range, most, false);
    for (int i = 0; i < labels.length; i++) {
      assertEquals(labels[i], unit.valueToString(i * unit.getSize()));
    }
    assertTrue(labels.length * unit.getSize() > range.getUpperBound());
  }
}
