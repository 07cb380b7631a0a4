package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Thins a long line without a visible difference. Of the points in one pixel column, the first, the
 * last, the lowest, the highest and the ends of the band are kept (Jugel et al., "M4: A
 * visualization-oriented time series data aggregation", VLDB 2014). With very many lines, which
 * hide each other, columns are wider, so that the number of points of a panel is bounded.
 */
public final class M4 {
  private static final int COLUMNS = 600;
  private static final int FEWEST_COLUMNS = 60;
  private static final int POINTS_PER_COLUMN = 4;
  private static final int POINTS_PER_PANEL = 50_000;

  private M4() {}

  /**
   * The points to draw of one line.
   *
   * @param points by ascending x
   * @param lines number of lines in the panel
   */
  public static List<Point> thin(List<Point> points, int lines) {
    int most = POINTS_PER_PANEL / (POINTS_PER_COLUMN * lines);
    int columns = Math.max(FEWEST_COLUMNS, Math.min(COLUMNS, most));
    if (points.size() <= POINTS_PER_COLUMN * columns) {
      return points;
    }
    double start = points.get(0).x();
    double width = (points.get(points.size() - 1).x() - start) / columns;
    List<Point> kept = new ArrayList<>();
    int from = 0;
    while (from < points.size()) {
      int column = column(points.get(from), start, width, columns);
      int to = from + 1;
      while (to < points.size() && column(points.get(to), start, width, columns) == column) {
        to++;
      }
      keepExtremes(points, from, to, kept);
      from = to;
    }
    return kept;
  }

  private static int column(Point point, double start, double width, int columns) {
    return width > 0 ? (int) Math.min(columns - 1, (point.x() - start) / width) : 0;
  }

  private static void keepExtremes(List<Point> points, int from, int to, List<Point> kept) {
    TreeSet<Integer> keep = new TreeSet<>(List.of(from, to - 1));
    Comparator<Point> byValue = Comparator.comparingDouble(Point::y);
    Comparator<Point> byLow = Comparator.comparingDouble(Point::low);
    Comparator<Point> byHigh = Comparator.comparingDouble(Point::high);
    for (Comparator<Point> order : List.of(byValue, byValue.reversed(), byLow, byHigh.reversed())) {
      keep.add(first(points, from, to, order));
    }
    keep.forEach(index -> kept.add(points.get(index)));
  }

  private static int first(List<Point> points, int from, int to, Comparator<Point> order) {
    int best = from;
    for (int i = from + 1; i < to; i++) {
      if (order.compare(points.get(i), points.get(best)) < 0) {
        best = i;
      }
    }
    return best;
  }
}
