package io.github.amb.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
        REPORT.text());
  }

  @Test
  void jsonHasEveryNumber(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("r.json");
    REPORT.write(file, Map.of("benchmark", "speed"));
    JsonNode json = JsonMapper.builder().build().readTree(Files.readString(file));
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
    assertEquals("at most", json.at("/targets/1/bound").asText());
    assertFalse(json.at("/targets/1/met").asBoolean(true));
    assertEquals(0.5, json.at("/extra/16").asDouble());
    assertEquals("times are times", json.at("/notes/0").asText());
  }

  @Test
  void numbersHaveThreeSignificantDigits() {
    assertEquals("0", BenchmarkReport.number(0));
    assertEquals("0.00123", BenchmarkReport.number(0.0012345));
    assertEquals("-12.3", BenchmarkReport.number(-12.345));
    assertEquals("1,234,567", BenchmarkReport.number(1234567));
    assertEquals("0.000000", BenchmarkReport.number(1e-9));
    assertEquals("NaN", BenchmarkReport.number(Double.NaN));
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
