package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SeedAverageTest {
  @Test
  void meanAndBandAreThoseComputedByHand() {
    List<Point> early = List.of(new Point(0, 0), new Point(2, 4), new Point(4, 4));
    List<Point> late = List.of(new Point(1, 10), new Point(3, 20), new Point(6, 20));

    // Both curves cover x from 1 to 4; at 1 they are 2 and 10, at 2: 4, 15, at 3: 4, 20, at 4: 4,
    // 20.
    assertEquals(
        List.of(
            new Point(1, 6, 2, 10),
            new Point(2, 9.5, 4, 15),
            new Point(3, 12, 4, 20),
            new Point(4, 12, 4, 20)),
        SeedAverage.of(List.of(early, late)));
  }

  @Test
  void oneCurveIsItsOwnAverage() {
    List<Point> curve = List.of(new Point(0, 1), new Point(2, 4));

    assertSame(curve, SeedAverage.of(List.of(curve)));
  }

  @Test
  void curvesThatDoNotOverlapHaveNoAverage() {
    assertEquals(
        List.of(), SeedAverage.of(List.of(List.of(new Point(0, 1)), List.of(new Point(1, 1)))));
  }

  @Property
  void bandHoldsTheMean(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 0, max = 20) Integer> first,
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 0, max = 20) Integer> second) {
    List<Point> average = SeedAverage.of(List.of(curve(first, 3), curve(second, 5)));

    for (Point point : average) {
      assertTrue(point.low() <= point.y() + 1e-12 && point.y() <= point.high() + 1e-12);
    }
    for (int i = 1; i < average.size(); i++) {
      assertTrue(average.get(i - 1).x() < average.get(i).x());
    }
  }

  private static List<Point> curve(List<Integer> positions, int factor) {
    TreeMap<Integer, Point> points = new TreeMap<>();
    positions.forEach(x -> points.put(x, new Point(x, x * factor % 7)));
    return new ArrayList<>(points.values());
  }
}
