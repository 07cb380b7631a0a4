package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BinsTest {
  @Test
  void wholeNumbersAreInBinsCenteredOnThem() {
    double[] values = {3, 4, 4, 6};

    assertEquals(
        List.of(
            new Point(2.5, 0),
            new Point(2.5, 25),
            new Point(3.5, 50),
            new Point(4.5, 0),
            new Point(5.5, 25),
            new Point(6.5, 0)),
        Bins.over(List.of(values), true, OptionalDouble.empty()).outline(values));
  }

  @Test
  void outlineEndsWhereTheValuesEnd() {
    Bins bins = new Bins(0.5, 1, 9);

    assertEquals(
        List.of(new Point(3.5, 0), new Point(3.5, 100), new Point(4.5, 0)),
        bins.outline(new double[] {4, 4}));
  }

  @Test
  void equalValuesAreOneBin() {
    assertEquals(
        new Bins(63.5, 1, 1),
        Bins.over(List.of(new double[] {64, 64}), true, OptionalDouble.empty()));
    assertEquals(
        1, Bins.over(List.of(new double[] {0.3, 0.3}), false, OptionalDouble.empty()).count());
    assertEquals(1, Bins.over(List.of(new double[] {0}), false, OptionalDouble.empty()).count());
  }

  @Test
  void valueThatRoundingPutsBelowItsBinIsCounted() {
    for (int i = 1; i < 100_000; i++) {
      double[] value = {i / 1000.0};

      assertEquals(
          100, Bins.over(List.of(value), false, OptionalDouble.empty()).outline(value).get(1).y());
    }
  }

  @Test
  void binsCoverTheValuesOfAllRuns() {
    Bins bins =
        Bins.over(
            List.of(new double[] {0.1}, new double[0], new double[] {8}),
            false,
            OptionalDouble.empty());

    assertEquals(new Bins(0, 0.2, 41), bins);
  }

  @Property
  void everyValueIsInTheBinThatHoldsIt(
      @ForAll @NotEmpty @Size(max = 50) List<@DoubleRange(min = 0, max = 1e6) Double> list) {
    double[] values = list.stream().mapToDouble(Double::doubleValue).toArray();

    Bins bins = Bins.over(List.of(values), false, OptionalDouble.empty());
    List<Point> outline = bins.outline(values);

    assertTrue(bins.count() <= 42, bins.toString());
    assertEquals(100, outline.stream().mapToDouble(Point::y).sum(), 1e-9);
    for (int i = 0; i < outline.size() - 2; i++) {
      double low = outline.get(i + 1).x() - 1e-9 * bins.width();
      double high = low + bins.width() * (1 + 2e-9);
      long most = list.stream().filter(value -> value >= low && value <= high).count();
      assertTrue(outline.get(i + 1).y() <= 100.0 * most / values.length + 1e-9);
    }
  }
}
