package io.github.amb.plots.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LineStyleTest {
  @Test
  void linesAreAllDifferent() {
    Set<List<Object>> lines = new HashSet<>();
    for (int group = 0; group < LineStyle.COUNT; group++) {
      lines.add(List.of(LineStyle.color(group), LineStyle.line(group)));
    }

    assertEquals(LineStyle.COUNT, lines.size());
  }

  @Test
  void areasOfNeighborsDifferInLightness() {
    for (int group = 0; group < LineStyle.COUNT; group++) {
      double difference = lightness(LineStyle.fill(group)) - lightness(LineStyle.fill(group + 1));

      assertTrue(Math.abs(difference) > 5, group + " and the next: " + difference);
    }
  }

  /** L* of CIELAB, 0 to 100. */
  private static double lightness(Color color) {
    double luminance =
        0.2126 * linear(color.getRed())
            + 0.7152 * linear(color.getGreen())
            + 0.0722 * linear(color.getBlue());
    return 116 * Math.cbrt(luminance) - 16;
  }

  private static double linear(int component) {
    double value = component / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
