package io.github.amb.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RankReportTest {
  static List<RankReport> reports() {
    return List.of(
        new RankReport.Started(17),
        new RankReport.Ready(),
        new RankReport.Training(),
        new RankReport.Over(),
        new RankReport.Connecting(2),
        new RankReport.Listening(2, 25000, 25001),
        new RankReport.Connected(2),
        new RankReport.Rejected(2, true, List.of("10.0.0.4:1")),
        new RankReport.Malformed(2, 1, "found other bytes"),
        new RankReport.Lost(2),
        new RankReport.Failed(true, "no memory"),
        new RankReport.Leaving(2, 41),
        new RankReport.Finished());
  }

  @ParameterizedTest
  @MethodSource("reports")
  void logLinesAreForPeople(RankReport report) {
    String name = report.getClass().getSimpleName();

    assertFalse(report.describe().matches(name + "\\b.*|.*[\\[\\]=].*"), report.describe());
  }

  @Test
  void logLinesNameTheGeneration() {
    assertEquals(
        "connecting to the other ranks of generation 2", new RankReport.Connecting(2).describe());
  }
}
