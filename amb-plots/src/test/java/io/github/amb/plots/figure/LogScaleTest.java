package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;

class LogScaleTest {
  @Test
  void fewDecadesHaveTwosAndFives() {
    assertEquals(List.of("0.2", "0.5", "1", "2"), labels(0.15, 2.4));
  }

  @Test
  void aPartOfADecadeHasWhatALinearAxisHas() {
    assertEquals(List.of("2.0", "2.5", "3.0"), labels(1.9, 3.1));
    assertEquals(List.of("0.10", "0.15", "0.20"), labels(0.09, 0.22));
  }

  @Test
  void someDecadesHavePowersOfTen() {
    assertEquals(List.of("1e-4", "0.001", "0.01", "0.1", "1"), labels(6e-5, 3));
  }

  @Test
  void manyDecadesHaveSomePowersOfTen() {
    assertEquals(List.of("1", "1e7", "1e14", "1e21", "1e28", "1e35"), labels(0.5, 3.4e38));
  }

  private static List<String> labels(double low, double high) {
    LogScale axis = new LogScale("loss");
    axis.setRange(low, high);
    return axis
        .refreshTicksVertical(null, new Rectangle2D.Double(0, 0, 50, 200), RectangleEdge.LEFT)
        .stream()
        .map(NumberTick::getText)
        .filter(text -> !text.isEmpty())
        .toList();
  }
}
