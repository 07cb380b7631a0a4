package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.util.List;
import java.util.stream.Stream;

/**
 * A panel and what is drawn in it.
 *
 * @param panel what the axes are
 * @param series one or more lines
 */
record Content(Panel panel, List<Series> series) {
  Stream<Point> points() {
    return series.stream().flatMap(line -> line.points().stream());
  }

  boolean hasBand() {
    return points().anyMatch(point -> point.low() < point.high());
  }
}
