package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Scale;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import java.util.List;
import java.util.OptionalDouble;
import org.jfree.data.Range;
import org.junit.jupiter.api.Test;

class AxisRangesTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @Test
  void timeStartsAtZero() {
    AxisRanges ranges = of("loss_vs_time", View.PLAIN, new Point(1, 1), new Point(10, 2));

    assertEquals(new Range(0, 10), ranges.x());
    assertEquals(new Range(0.96, 2.04), ranges.y());
  }

  @Test
  void marginDoesNotReachBelowZero() {
    AxisRanges ranges =
        of("loss_vs_time", View.PLAIN, new Point(0, 1, 0.01, 3), new Point(10, 4, 1, 4));

    assertEquals(0, ranges.y().getLowerBound());
    assertTrue(ranges.y().getUpperBound() > 4);
  }

  @Test
  void wideBandDoesNotSetTheAxis() {
    Point[] points = {new Point(0, 1, -90, 90), new Point(10, 2)};

    Range y = of("loss_vs_time", View.PLAIN, points).y();

    assertEquals(0.42, y.getLowerBound(), 1e-12, "1 less half of the range and the margin");
    assertEquals(2.58, y.getUpperBound(), 1e-12);
  }

  /** A linear margin would end below zero, where no logarithm is. */
  @Test
  void logarithmicAxesBelowNamesArePositive() {
    Axes axes =
        Panels.named("loss_vs_time")
            .frame()
            .scaled(Scale.LOG10, Scale.LINEAR)
            .withYNames(List.of("a", "b"));
    List<Point> points = List.of(new Point(0.01, 0), new Point(100, 1));

    Range x = AxisRanges.of(new Content(axes, List.of(new Series(0, points))), View.PLAIN).x();

    assertEquals(0.01 / 1.15, x.getLowerBound(), 1e-12);
    assertEquals(115, x.getUpperBound(), 1e-9);
  }

  @Test
  void accuraciesHaveNoTickBeyondOne() {
    for (double first : new double[] {0, 0.3, 0.9, 0.97, 0.9995}) {
      Point[] points = {new Point(1, first, first - 0.2, first + 0.2), new Point(9, 1, 0.9, 1.1)};

      Range y = of("accuracy_vs_time", View.PLAIN, points).y();
      double unit = Ticks.over(y, 6, false).getSize();

      assertTrue(y.getUpperBound() > 1 && y.getUpperBound() < 1 + unit, y.toString());
      assertTrue(y.getLowerBound() >= 0, y.toString());
    }
  }

  @Test
  void accuraciesAbove90PercentFillTheAxis() {
    Range y = of("accuracy_vs_time", View.PLAIN, new Point(0, 0.91), new Point(9, 0.96)).y();

    assertTrue(y.getLowerBound() > 0.9 && y.getUpperBound() < 0.97, y.toString());
  }

  @Test
  void chosenEndsCountIfTheyLeaveSomethingToSee() {
    View view = View.within(NONE, NONE, OptionalDouble.of(5), OptionalDouble.of(0.9));
    Point[] points = {new Point(0, 0.1), new Point(10, 0.96)};
    assertEquals(5, of("accuracy_vs_time", view, points).x().getLowerBound());
    assertEquals(0.9, of("accuracy_vs_time", view, points).y().getLowerBound());
    View beyond = View.within(NONE, NONE, OptionalDouble.of(20), OptionalDouble.of(7));
    assertEquals(new Range(0, 10), of("accuracy_vs_time", beyond, points).x());
    assertTrue(of("accuracy_vs_time", beyond, points).y().getLowerBound() < 0.1);
  }

  @Test
  void stepsThatStartFarFromZeroStartTheAxis() {
    assertEquals(
        new Range(900, 1000),
        of("loss_vs_step", View.PLAIN, new Point(900, 1), new Point(1000, 2)).x());
  }

  @Test
  void countsStartAtZero() {
    assertEquals(
        new Range(0, 104),
        of("cumsum_vs_step", View.PLAIN, new Point(1, 50), new Point(2, 100)).y());
  }

  @Test
  void singlePointIsInTheMiddle() {
    AxisRanges ranges = of("accuracy_vs_time", View.PLAIN, new Point(4, 0.5));

    assertEquals(new Range(0, 8), ranges.x());
    assertTrue(ranges.y().contains(0.49) && ranges.y().contains(0.51));
    assertEquals(new Range(0, 1), of("loss_vs_step", View.PLAIN, new Point(0, 0)).x());
  }

  @Test
  void roomBesideASingleBinDoesNotReachBelowZero() {
    Point[] bin = {new Point(0, 0), new Point(0, 100), new Point(0.05, 0)};

    assertEquals(0, of("hist_send", View.PLAIN, bin).x().getLowerBound());
    Point[] far = {new Point(9.5, 0), new Point(9.5, 100), new Point(10.5, 0)};
    assertEquals(new Range(7.5, 12.5), of("hist_worker_count", View.PLAIN, far).x());
  }

  @Test
  void endsThatTheUserGaveAreKept() {
    Point[] points = {new Point(0, 1), new Point(9, 5)};

    AxisRanges low = of("loss_vs_time", view(4, 2, false), points);
    AxisRanges hidden = of("loss_vs_time", view(4, 0.5, true), points);

    assertEquals(new Range(0, 4), low.x());
    assertEquals(new Range(0.84, 2), low.y());
    assertEquals(new Range(0.05, 0.5), hidden.y());
    assertEquals(new Range(0, 0.5), of("loss_vs_time", view(4, 0.5, false), points).y());
  }

  @Test
  void histogramOfOneBinHasRoomBesideIt() {
    AxisRanges ranges =
        of("hist_batch_size", View.PLAIN, new Point(3, 0), new Point(3, 100), new Point(4, 0));

    assertEquals(new Range(1, 6), ranges.x());
    assertEquals(new Range(0, 104), ranges.y());
  }

  private static View view(double xMax, double yMax, boolean log) {
    OptionalDouble all = OptionalDouble.empty();
    return new View(OptionalDouble.of(xMax), OptionalDouble.of(yMax), all, all, log, false, 0, all);
  }

  @Test
  void equalBarsLeaveRoomForTheirValues() {
    AxisRanges ranges =
        of("bytes_per_update", View.PLAIN, new Point(0, 0.004), new Point(1, 0.004));

    assertEquals(0, ranges.y().getLowerBound());
    assertTrue(ranges.y().getUpperBound() >= 1.08 * 0.004, ranges.y().toString());
  }

  private static AxisRanges of(String panel, View view, Point... points) {
    return AxisRanges.of(
        new Content(Panels.named(panel).frame(), List.of(new Series(0, List.of(points)))), view);
  }
}
