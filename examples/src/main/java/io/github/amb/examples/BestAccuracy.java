package io.github.amb.examples;

import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Panel;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.List;

/** A panel: the best test accuracy so far, of the first run of each group. */
public final class BestAccuracy implements Plugin<Panel> {
  @Override
  public List<Panel> entries() {
    return List.of(new BestSoFar());
  }

  private static final class BestSoFar extends Panel {
    BestSoFar() {
      super(
          Axes.linear("best_accuracy_vs_step", Quantity.STEP, Quantity.ACCURACY, Mark.LINE, false));
    }

    @Override
    public List<Series> series(List<RunGroup> groups, View view) {
      List<Series> series = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        List<Point> points = new ArrayList<>();
        double best = 0;
        for (EvaluationRecord tested : groups.get(i).runs().get(0).evaluations()) {
          best = Math.max(best, tested.accuracy());
          points.add(new Point(tested.step(), best));
        }
        if (!points.isEmpty()) {
          series.add(new Series(i, points));
        }
      }
      return series;
    }
  }
}
