package io.github.amb.plots.panel;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of a panel.
 *
 * @param group index of the group of runs that it shows, as of its label
 * @param style number of its color and dashes
 * @param points by ascending x; y is NaN where the line has a gap
 */
public record Series(int group, int style, List<Point> points) {
  /** A line whose style is that of its group's index. */
  public Series(int group, List<Point> points) {
    this(group, group, points);
  }

  /** The line without its gaps: parts of one or more points, all finite. */
  public List<List<Point>> parts() {
    List<List<Point>> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= points.size(); i++) {
      if (i == points.size() || Double.isNaN(points.get(i).y())) {
        if (i > from) {
          parts.add(points.subList(from, i));
        }
        from = i + 1;
      }
    }
    return parts;
  }

  /** The last points before gaps. */
  public List<Point> ends() {
    List<Point> ends = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      if (Double.isNaN(points.get(i).y()) && !Double.isNaN(points.get(i - 1).y())) {
        ends.add(points.get(i - 1));
      }
    }
    return ends;
  }
}
