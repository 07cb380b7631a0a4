package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThinnedCurveTest {
  private static final int STEPS = 100_000;

  private final ThinnedCurve curve = new ThinnedCurve();

  private void addAll() {
    for (int step = 1; step <= STEPS; step++) {
      curve.add(step / 10.0, step, step, 64L * step);
    }
  }

  @Test
  void aLongCurveHasFewPoints() {
    addAll();
    assertTrue(((List<?>) curve.since(0, 0).get("points")).size() < 1000);
  }

  @Test
  void aPointHasTheMeanOfItsValues() {
    addAll();
    Map<String, Object> all = curve.since(0, 0);
    long stride = (long) all.get("stride");
    double[] first = (double[]) ((List<?>) all.get("points")).get(0);
    assertEquals(stride, first[1]);
    // Sums of whole numbers below 2^53, divided by powers of two, are exact.
    assertEquals((1 + stride) / 2.0, first[2]);
    assertEquals(64.0 * stride, first[3]);
  }

  /** The loss of an update without examples is NaN, alone or among the values of a point. */
  @ParameterizedTest
  @ValueSource(ints = {10, 3000})
  void aPointIsTheMeanOfValuesThatAreNumbers(int without) {
    for (int step = 1; step <= 4000; step++) {
      curve.add(step, step, step == without ? Double.NaN : 3, step);
    }
    for (Object point : (List<?>) curve.since(0, 0).get("points")) {
      assertEquals(3, ((double[]) point)[2]);
    }
  }

  @Test
  void anotherStrideGetsEverything() {
    addAll();
    assertEquals(0, curve.since(1, 900).get("from"));
    long stride = (long) curve.since(0, 0).get("stride");
    assertEquals(700, curve.since(stride, 700).get("from"));
  }
}
