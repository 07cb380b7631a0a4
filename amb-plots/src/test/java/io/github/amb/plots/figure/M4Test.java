package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.panel.Point;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class M4Test {
  @Test
  void shortLinesAreLeftAsTheyAre() {
    List<Point> points = noise(2400);

    assertSame(points, M4.thin(points, 1));
  }

  @Test
  void extremesOfEveryColumnAreKept() {
    List<Point> points = noise(100_000);

    List<Point> thin = M4.thin(points, 1);

    assertTrue(thin.size() <= 600 * 6, "kept " + thin.size());
    assertTrue(new HashSet<>(points).containsAll(thin));
    double width = (points.size() - 1) / 600.0;
    Function<Point, Integer> column = point -> (int) Math.min(599, point.x() / width);
    var expected = points.stream().collect(Collectors.groupingBy(column));
    var kept = thin.stream().collect(Collectors.groupingBy(column));
    assertEquals(expected.keySet(), kept.keySet());
    expected.forEach((index, all) -> assertEquals(extremes(all), extremes(kept.get(index))));
    assertSame(points.get(0), thin.get(0));
    assertSame(points.get(99_999), thin.get(thin.size() - 1));
    for (int i = 1; i < thin.size(); i++) {
      assertTrue(thin.get(i - 1).x() < thin.get(i).x());
    }
  }

  @Test
  void pointsAtOnePlaceAreOneColumn() {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      points.add(new Point(5, i));
    }

    assertEquals(List.of(points.get(0), points.get(2999)), M4.thin(points, 1));
  }

  @Test
  void aPanelOfManyLinesHasABoundedNumberOfPoints() {
    List<Point> points = noise(2400);

    assertSame(points, M4.thin(points, 20));
    int all = 200 * M4.thin(points, 200).size();
    assertTrue(all > 30_000 && all < 80_000, "points in the panel: " + all);
  }

  /** First and last y, and the range of y, of the band's low end and of its high end. */
  private static List<Double> extremes(List<Point> points) {
    return List.of(
        points.get(0).y(),
        points.get(points.size() - 1).y(),
        points.stream().mapToDouble(Point::y).min().getAsDouble(),
        points.stream().mapToDouble(Point::y).max().getAsDouble(),
        points.stream().mapToDouble(Point::low).min().getAsDouble(),
        points.stream().mapToDouble(Point::high).max().getAsDouble());
  }

  private static List<Point> noise(int size) {
    Random random = new Random(Long.getLong("amb.test.seed", 7));
    List<Point> points = new ArrayList<>();
    for (int x = 0; x < size; x++) {
      double y = random.nextGaussian();
      points.add(new Point(x, y, y - random.nextDouble(), y + random.nextDouble()));
    }
    return points;
  }
}
