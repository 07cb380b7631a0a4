package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
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
      RankReport.training(0);
      RankReport.ready(4);
      RankReport.alive(5, "");
      RankReport.lost(6, 7);
      RankReport.alive(5, "2-17-0");
      RankReport.connecting(8, 9);
      RankReport.connected(8, 9);
      RankReport.distrusts(0, 9, 2, "expected 4, found 3");
      RankReport.drops(8, 9, List.of("::1:2", "::1:4"));
      RankReport.process(1);
    } finally {
      System.setErr(standard);
      System.clearProperty(ParentWatch.PROPERTY);
    }
    String[] lines = printed.toString().split(System.lineSeparator());
    assertEquals(
        Optional.of(new RankReport(2, RankReport.Kind.FAILED, "no data")),
        RankReport.parse(2, lines[0]));
    assertEquals(
        Optional.of(new RankReport(3, RankReport.Kind.FINISHED, "")),
        RankReport.parse(3, lines[1]));
    assertKind(RankReport.Kind.TRAINING, 0, lines[2]);
    assertKind(RankReport.Kind.READY, 4, lines[3]);
    assertKind(RankReport.Kind.ALIVE, 5, lines[4]);
    assertEquals(
        Optional.of(new RankReport(6, RankReport.Kind.LOST, "7")), RankReport.parse(6, lines[5]));
    assertEquals(
        Optional.of(new RankReport(5, RankReport.Kind.ALIVE, "2-17-0")),
        RankReport.parse(5, lines[6]));
    assertEquals(
        Optional.of(new RankReport(8, RankReport.Kind.CONNECTING, "9")),
        RankReport.parse(8, lines[7]));
    assertEquals(
        Optional.of(new RankReport(8, RankReport.Kind.CONNECTED, "9")),
        RankReport.parse(8, lines[8]));
    assertEquals(
        Optional.of(new RankReport(0, RankReport.Kind.DISTRUSTS, "9 2 expected 4, found 3")),
        RankReport.parse(0, lines[9]));
    assertEquals(
        Optional.of(new RankReport(8, RankReport.Kind.DROPS, "9 ::1:2 ::1:4")),
        RankReport.parse(8, lines[10]));
    String pid = Long.toString(ProcessHandle.current().pid());
    assertEquals(
        Optional.of(new RankReport(1, RankReport.Kind.PROCESS, pid)),
        RankReport.parse(1, lines[11]));
  }

  private static void assertKind(RankReport.Kind kind, int rank, String line) {
    assertEquals(Optional.of(new RankReport(rank, kind, "")), RankReport.parse(rank, line));
  }

  @Test
  void otherLinesAndOtherRanksAreNoReports() {
    assertEquals(Optional.empty(), RankReport.parse(2, "amb: rank 1: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, "step 3: amb: rank 2: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, "amb: rank 99999999: cause"));
    assertEquals(Optional.empty(), RankReport.parse(2, ""));
  }
}
