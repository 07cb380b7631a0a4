package io.github.amb.plots.panel;

import java.util.List;
import java.util.stream.Stream;

/**
 * A panel's axes and what is drawn between them.
 *
 * @param frame the axes
 * @param series one or more lines
 */
public record Content(Axes frame, List<Series> series) {
  /** The same with other styles, by the group of each line. */
  Content styled(List<Integer> styles) {
    return new Content(
        frame,
        series.stream()
            .map(line -> new Series(line.group(), styles.get(line.group()), line.points()))
            .toList());
  }

  /** The points of all series, without gaps. */
  public Stream<Point> points() {
    return series.stream()
        .flatMap(line -> line.points().stream())
        .filter(point -> !Double.isNaN(point.y()));
  }

  /** Whether any point has a band around it. */
  public boolean hasBand() {
    return frame.mark() != Mark.SPANS && points().anyMatch(point -> point.low() < point.high());
  }
}
