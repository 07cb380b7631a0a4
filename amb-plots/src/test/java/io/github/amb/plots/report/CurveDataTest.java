package io.github.amb.plots.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurveDataTest {
  /** The script draws a gap at NaN, and a line past null. */
  @Test
  void aGapIsNoMissingPoint() {
    Axes frame = Axes.linear("loss", Quantity.STEP, Quantity.LOSS, Mark.LINE, false);
    Series broken =
        new Series(0, List.of(new Point(1, 1), new Point(2, Double.NaN), new Point(3, 2)));
    Series whole = new Series(1, List.of(new Point(1, 5), new Point(1.5, 6), new Point(3, 7)));
    Content content = new Content(frame, List.of(broken, whole));

    String data = CurveData.of(new Drawing(List.of(content), List.of("a", "b"), "", List.of()));

    String rows = "[[1.0,1.0,5.0],[1.5,null,6.0],[2.0,\"NaN\",null],[3.0,2.0,7.0]]";
    assertTrue(data.contains(rows), data);
  }
}
