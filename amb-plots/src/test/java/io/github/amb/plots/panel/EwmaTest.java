package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EwmaTest {
  @Test
  void agreesWithPandas() {
    // pandas.Series([1, 2, 4]).ewm(span=3).mean() gives 1, 5/3, 3.
    List<Point> smooth = Curve.smooth(points(List.of(1.0, 2.0, 4.0)), 3);

    assertEquals(1, smooth.get(0).y(), 1e-12);
    assertEquals(5.0 / 3, smooth.get(1).y(), 1e-12);
    assertEquals(3, smooth.get(2).y(), 1e-12);
    assertEquals(2, smooth.get(2).x());
  }

  @Test
  void spanOfOneOrLessLeavesThePoints() {
    List<Point> points = points(List.of(1.0, 5.0));

    assertSame(points, Curve.smooth(points, 1));
    assertSame(points, Curve.smooth(points, 0));
  }

  @Property
  void isTheWeightedMeanOfItsDefinition(
      @ForAll @NotEmpty @Size(max = 30) List<@DoubleRange(min = -10, max = 10) Double> values,
      @ForAll @DoubleRange(min = 1.01, max = 100) double span) {
    List<Point> smooth = Curve.smooth(points(values), span);

    double decay = 1 - 2 / (span + 1);
    for (int t = 0; t < values.size(); t++) {
      double sum = 0;
      double weights = 0;
      for (int i = 0; i <= t; i++) {
        sum += Math.pow(decay, i) * values.get(t - i);
        weights += Math.pow(decay, i);
      }
      assertEquals(sum / weights, smooth.get(t).y(), 1e-9);
    }
  }

  private static List<Point> points(List<Double> values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      points.add(new Point(i, values.get(i)));
    }
    return points;
  }
}
