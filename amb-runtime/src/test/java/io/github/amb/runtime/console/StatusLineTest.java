package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private static final Style PLAIN = new Style(false);
  private static final Progress.Score TEST = new Progress.Score(150, 1.7, 0.5475);

  static final Progress TRAINING =
      new Progress(
          178,
          200L,
          3.25,
          0.89,
          65.0,
          12.5,
          false,
          1.67879,
          Map.of("k", 7.0),
          5120.4,
          TEST,
          TEST,
          new Progress.Workers(2, 3, 1, 1, 0.0251),
          null);

  private static String at(int width) {
    return StatusLine.of(TRAINING).fitted(width, PLAIN);
  }

  @Test
  void twoHundredColumnsHaveAllOfIt() {
    assertEquals(
        "[#################...]  89 %  step 178/200  epoch 3.250  1 min 05 s left  loss 1.679  k 7.000  test"
            + " accuracy 0.5475 (step 150)  5120 examples/s  2/3 workers  slowest 1 (0.0251 s)",
        at(199));
  }

  @Test
  void eightyColumnsHaveWhatMattersMost() {
    assertEquals(
        "89 %  step 178  1 min 05 s left  loss 1.679  acc 0.5475 @150  2/3 workers", at(79));
  }

  @Test
  void noLineIsWiderThanItsTerminal() {
    for (int width = 0; width <= 220; width++) {
      assertTrue(at(width).length() <= width, "width " + width + ": " + at(width));
    }
  }

  @Test
  void colorsTakeNoRoomAndCanBeForbidden() {
    String colored = StatusLine.of(TRAINING).fitted(100, Style.of(Map.of("NO_COLOR", "")));
    assertTrue(colored.contains("\033["), colored);
    String plain = StatusLine.of(TRAINING).fitted(100, Style.of(Map.of("NO_COLOR", "1")));
    assertEquals(plain, colored.replaceAll("\033\\[\\d+m", ""));
    assertFalse(plain.contains("\033["), plain);
  }

  @Test
  void whatDoesNotExistIsAbsent() {
    Progress timing =
        new Progress(10, null, null, null, null, 0, true, null, null, null, null, null, null, null);
    assertEquals("step 10  virtual 0.000 s", StatusLine.of(timing).whole());
  }

  @Test
  void theFinalTestHasItsProgressInPlaceOfTheRuns() {
    Progress testing =
        new Progress(
            200,
            200L,
            4.0,
            1.0,
            0.0,
            14,
            false,
            1.5,
            null,
            5000.0,
            TEST,
            TEST,
            null,
            new Progress.FinalTest(2048, 10_000));
    assertEquals(
        "final test 2048 of 10000  step 200/200  epoch 4.000  loss 1.500  test accuracy 0.5475"
            + " (step 150)  5000 examples/s",
        StatusLine.of(testing).whole());
  }

  @Test
  void durationsAreSaidAsPeopleDo() {
    assertEquals("0 s", StatusLine.duration(0.2));
    assertEquals("59 s", StatusLine.duration(59.4));
    assertEquals("1 min 00 s", StatusLine.duration(59.6));
    assertEquals("2 h 03 min", StatusLine.duration(2 * 3600 + 3 * 60 + 59));
  }
}
