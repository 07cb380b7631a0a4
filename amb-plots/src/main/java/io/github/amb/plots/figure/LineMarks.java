package io.github.amb.plots.figure;

import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/**
 * Draws points as lines: curves with bands, outlines of histograms, and dots; a cross ends a part.
 */
final class LineMarks {
  private LineMarks() {}

  /** A part of a line, or the crosses where its parts end. */
  private record Piece(int group, int style, List<Point> points, boolean crosses) {}

  private static List<Piece> pieces(Content content) {
    List<Piece> pieces = new ArrayList<>();
    for (Series line : content.series()) {
      line.parts().forEach(part -> pieces.add(new Piece(line.group(), line.style(), part, false)));
      if (!line.ends().isEmpty()) {
        pieces.add(new Piece(line.group(), line.style(), line.ends(), true));
      }
    }
    // What is dashed shows what lies below it.
    pieces.sort(Comparator.comparing(line -> LineStyle.line(line.style()).getDashArray() != null));
    return pieces;
  }

  /**
   * The points to draw.
   *
   * @param least smaller values are drawn at this one, as a logarithmic axis cannot show 0 or less
   */
  static YIntervalSeriesCollection dataset(Content content, double least) {
    YIntervalSeriesCollection dataset = new YIntervalSeriesCollection();
    for (Piece line : pieces(content)) {
      YIntervalSeries series = new YIntervalSeries(line.group(), false, true);
      List<Point> points =
          content.frame().mark() == Mark.OUTLINE
              ? stairs(line.points())
              : M4.thin(line.points(), content.series().size());
      for (Point point : points) {
        series.add(
            point.x(),
            atLeast(least, point.y()),
            atLeast(least, point.low()),
            atLeast(least, point.high()));
      }
      dataset.addSeries(series);
    }
    return dataset;
  }

  /** Raises a value to {@code least}; 0 for a linear axis, which shows every value. */
  private static double atLeast(double least, double value) {
    return least > 0 ? Math.max(least, value) : value;
  }

  /** The corners of a histogram's outline, given each bin's lower edge and height. */
  private static List<Point> stairs(List<Point> bins) {
    List<Point> corners = new ArrayList<>();
    for (int i = 0; i < bins.size(); i++) {
      corners.add(bins.get(i));
      if (i + 1 < bins.size()) {
        corners.add(new Point(bins.get(i + 1).x(), bins.get(i).y()));
      }
    }
    return corners;
  }

  static XYLineAndShapeRenderer renderer(Content content) {
    XYLineAndShapeRenderer renderer =
        content.hasBand()
            ? new DeviationRenderer(true, false)
            : new XYLineAndShapeRenderer(true, false);
    renderer.setDrawSeriesLineAsPath(true);
    List<Piece> pieces = pieces(content);
    for (int i = 0; i < pieces.size(); i++) {
      Piece line = pieces.get(i);
      Color color = LineStyle.color(line.style());
      renderer.setSeriesPaint(i, color);
      renderer.setSeriesFillPaint(i, color);
      renderer.setSeriesStroke(i, LineStyle.line(line.style()));
      renderer.setSeriesShape(i, line.crosses() ? Theme.CROSS : Theme.MARKER);
      renderer.setSeriesLinesVisible(i, !line.crosses());
      boolean dots =
          line.crosses() || content.frame().mark() == Mark.DOTS || line.points().size() == 1;
      renderer.setSeriesShapesVisible(i, dots);
    }
    if (renderer instanceof DeviationRenderer band) {
      band.setAlpha(0.2f);
    }
    return renderer;
  }
}
