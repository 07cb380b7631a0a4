package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RankReportTest {
  @Test
  void reportsAreReadAsPrinted() {
    PrintStream standard = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true));
    System.setProperty(ParentWatch.PROPERTY, "true");
    try {
      RankReport.failed(2, "no data\nand more");
      RankReport.finished(3);
    } finally {
      System.setErr(standard);
      System.clearProperty(ParentWatch.PROPERTY);
    }
    String[] lines = printed.toString().split(System.lineSeparator());
    assertEquals(Optional.of(new RankReport(2, false, "no data")), RankReport.parse(2, lines[0]));
    assertEquals(Optional.of(new RankReport(3, true, "")), RankReport.parse(3, lines[1]));
  }

  @Test
  void otherLinesAndOtherRanksAreNoReports() {
    assertEquals(Optional.empty(), RankReport.parse(2, "amb: rank 1: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, "step 3: amb: rank 2: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, "amb: rank 99999999: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, ""));
  }
}
