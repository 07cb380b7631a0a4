package io.github.amb.plots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.plots.TextTable.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private static final TextTable<List<String>> TABLE =
      new TextTable<>(
          List.of(
              new Column<>("run", 100, true, row -> row.get(0)),
              new Column<>("time", "(s)", 10, false, row -> row.get(1)),
              new Column<>("state", 50, true, row -> row.get(2))),
          List.of(
              List.of("a-rather-long-name-seed1", "12.5", "done"),
              List.of("a-rather-long-name-seed2", "3.25", "killed")));

  @Test
  void withoutATerminalNothingIsLeftOut() {
    assertEquals(
        """
        run                       time  state
                                   (s)
        a-rather-long-name-seed1  12.5  done
        a-rather-long-name-seed2  3.25  killed
        """,
        TABLE.text(0));
  }

  @Test
  void namesLoseTheirMiddleBeforeColumnsGo() {
    assertEquals(
        """
        run                time  state
                            (s)
        a-rather…me-seed1  12.5  done
        a-rather…me-seed2  3.25  killed
        """,
        TABLE.text(31));
  }

  @Test
  void columnsOfLittleWeightGoFirst() {
    assertEquals(
        """
        run                state
        a-rather…me-seed1  done
        a-rather…me-seed2  killed
        Left out, as the terminal is narrow: time (s).
        """,
        TABLE.text(25));
  }

  @Test
  void noRowIsWiderThanATerminal() {
    for (int width = 16; width < 60; width++) {
      int most = width;
      assertTrue(
          TABLE
              .text(width)
              .lines()
              .filter(l -> !l.startsWith("Left"))
              .allMatch(l -> l.length() <= most),
          TABLE.text(width));
    }
  }
}
