package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Scale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkReportTest {
  private static final BenchmarkReport REPORT =
      new BenchmarkReport(
          List.of(
              new Table("speed", "what time_ms count")
                  .row("copy", Sample.of(3, 1, 2), 1_000_000)
                  .row("a long name", Sample.of(1234.4), 7)),
          List.of(new Target("time, ms", 2, 1.5), new Target("share, %", 5, 12.34)),
          List.of("times are times"),
          Map.of("extra", Map.of("16", 0.5)));

  @Test
  void textSaysWhetherTargetsAreMet() {
    assertEquals(
        """
        speed
          what                        time ms      count
          copy            2.00 (1.00 to 3.00)  1,000,000
          a long name  1,234 (1,234 to 1,234)          7

        target: time, ms at most 2.00: 1.50, met
        target: share, % at most 5.00: 12.3, MISSED
        note: times are times
        """,
        TextReport.of(REPORT));
  }

  @Test
  void jsonHasEveryNumber() throws Exception {
    JsonNode json =
        JsonMapper.builder().build().readTree(JsonReport.of(Map.of("benchmark", "speed"), REPORT));
    assertEquals("speed", json.path("benchmark").asText());
    JsonNode copy = json.at("/tables/0/rows/0");
    assertEquals("copy", copy.path("what").asText());
    assertEquals(2, copy.at("/time_ms/median").asDouble());
    assertEquals(3, copy.at("/time_ms/p90").asDouble());
    assertEquals(1, copy.at("/time_ms/min").asDouble());
    assertEquals(3, copy.at("/time_ms/max").asDouble());
    assertEquals(3, copy.at("/time_ms/count").asInt());
    assertEquals(1_000_000, copy.path("count").asInt());
    assertEquals(12.34, json.at("/targets/1/measured").asDouble());
    assertFalse(json.at("/targets/1/met").asBoolean(true));
    assertEquals(0.5, json.at("/extra/16").asDouble());
    assertEquals("times are times", json.at("/notes/0").asText());
  }

  @Test
  void numbersHaveThreeSignificantDigits() {
    assertEquals("0", TextReport.number(0));
    assertEquals("0.00123", TextReport.number(0.0012345));
    assertEquals("-12.3", TextReport.number(-12.345));
    assertEquals("1,234,567", TextReport.number(1234567));
    assertEquals("0.000000", TextReport.number(1e-9));
    assertEquals("NaN", TextReport.number(Double.NaN));
  }

  @Test
  void figureHasALogarithmicAxisWhereValuesFarApartMeet() {
    for (double fast : new double[] {15, 250}) {
      Table table =
          new Table("gradients", "network batch_size examples_per_s")
              .row("slow", 8, Sample.of(10))
              .row("fast", 8, Sample.of(fast));

      Content panel =
          FigureReport.of(new BenchmarkReport(List.of(table), List.of(), List.of()))
              .contents()
              .get(0);

      assertEquals(2, panel.series().size());
      assertEquals(fast > 200 ? Scale.LOG10 : Scale.LINEAR, panel.frame().yScale());
    }
  }

  @Test
  void figureHasTheAxisThatATableNames() {
    Table table =
        new Table("messages", "what workers length total_ms")
            .against("length")
            .row("mpj", 2, 16, Sample.of(1))
            .row("mpj", 2, 64, Sample.of(2))
            .row("mpj", 4, 16, Sample.of(3));
    Table other = new Table("others", "length total_ms").row(16, Sample.of(4));

    Drawing drawing =
        FigureReport.of(new BenchmarkReport(List.of(table, other), List.of(), List.of()));

    assertEquals(List.of("mpj, workers 2", "mpj, workers 4", "others"), drawing.labels());
    Content panel = drawing.contents().get(0);
    assertEquals("length, messages", panel.frame().x().label());
    assertEquals(
        List.of(16.0, 64.0), panel.series().get(0).points().stream().map(Point::x).toList());
    assertThrows(IllegalArgumentException.class, () -> table.against("height"));
  }

  @Test
  void manyLinesAtFewLengthsAreRows() {
    Table table = new Table("step", "what floats ms");
    for (int way = 0; way < 8; way++) {
      table.row("way " + way, 10, Sample.of(1, 2, 3)).row("way " + way, 2000, Sample.of(100));
    }

    Drawing drawing = FigureReport.of(new BenchmarkReport(List.of(table), List.of(), List.of()));

    Content panel = drawing.contents().get(0);
    assertEquals(Mark.ROWS, panel.frame().mark());
    assertEquals(8, panel.frame().xNames().size());
    assertEquals(List.of("10 floats", "2,000 floats"), drawing.labels());
    assertEquals(Scale.LOG10, panel.frame().yScale());
  }

  @Test
  void figureOfTheJsonIsThatOfTheReport(@TempDir Path folder) throws Exception {
    Table table =
        new Table("messages", "what workers length total_ms")
            .against("length")
            .row("mpj", 2, 16, Sample.of(1, 4, 5))
            .row("mpj", 2, 64, Sample.of(2));
    BenchmarkReport report = new BenchmarkReport(List.of(table), List.of(), List.of());
    Path file = Files.writeString(folder.resolve("r.json"), JsonReport.of(Map.of(), report));

    assertEquals(FigureReport.of(report), FigureReport.of(JsonReport.read(file)));
    Files.writeString(file, "{}");
    assertThrows(UsageException.class, () -> JsonReport.read(file));
  }

  @Test
  void aRowHasACellPerColumn() {
    assertThrows(IllegalArgumentException.class, () -> new Table("t", "a b").row("x"));
  }

  @Test
  void aTargetIsMetUpToItsLimit() {
    assertEquals(List.of(true, false), List.of(met(5, 5), met(5, 5.01)));
    assertFalse(met(5, Double.NaN));
    assertTrue(Target.atLeast("x", 5, 5).met());
    assertFalse(Target.atLeast("x", 5, 4.99).met());
    assertFalse(Target.atLeast("x", 5, Double.NaN).met());
  }

  private static boolean met(double limit, double measured) {
    return new Target("x", limit, measured).met();
  }
}
