package io.github.amb.plots.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UPlotTest {
  @Test
  void scriptDefinesTheLibrary() {
    assertTrue(Pattern.compile("var uPlot\\s*=").matcher(UPlot.script()).find());
  }

  @Test
  void styleIsOfTheLibrary() {
    assertTrue(UPlot.style().contains(".uplot"));
  }

  @Test
  void neitherEndsItsElement() {
    assertFalse(UPlot.script().toLowerCase(Locale.ROOT).contains("</script"));
    assertFalse(UPlot.style().toLowerCase(Locale.ROOT).contains("</style"));
  }

  @Test
  void neitherNamesAnotherServer() {
    assertEquals(
        0, Pattern.compile("https?://(?!github)").matcher(UPlot.script()).results().count());
    assertFalse(UPlot.style().contains("url("));
  }
}
