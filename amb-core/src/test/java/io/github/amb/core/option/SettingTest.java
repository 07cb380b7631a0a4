package io.github.amb.core.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
  private static final Setting<Double> RATE =
      Setting.positive("rate", 0.5).in("above 0, up to 1", v -> v <= 1).help("how fast").or("lr");
  private static final Setting<List<Integer>> SIZES =
      Setting.integer("sizes", null, 1).list(List.of(1, 2)).in("integers, 1 or more");

  private static String problem(Setting<?> setting, String text) {
    return assertThrows(UsageException.class, () -> setting.parse("--x", text)).getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "+1", ".5", "5.e-1", "1e-3"})
  void aDecimalNumberIsOne(String text) {
    assertEquals(Double.parseDouble(text), RATE.parse("--rate", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 1", "1d", "0x1p-3", "NaN", "Infinity", "0", "-1", "1.5"})
  void whatIsNoNumberInRangeIsRejected(String text) {
    assertEquals("--x: expected above 0, up to 1, found '" + text + "'", problem(RATE, text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3,4", "3 4", "3, 4", " 3 ,4 "})
  void commasAndBlanksSeparateTheItemsOfAList(String text) {
    assertEquals(List.of(3, 4), SIZES.parse("--sizes", text));
  }

  @Test
  void aNumberThatIsTooLargeIsNamedSo() {
    assertTrue(problem(RATE, "1e999").endsWith("found '1e999', more than a number can be"));
    assertNotNull(Setting.realOrInfinite("x", null).parse("", "inf", new ArrayList<>()));
    assertNull(Setting.realOrInfinite("x", null).parse("", "1e999", new ArrayList<>()));
  }

  @Test
  void anIntegerHasTwoEnds() {
    assertEquals("--x: expected 1 to 9, found '10'", problem(Setting.integer("x", 1, 1, 9), "10"));
    assertEquals("--x: expected 1 to 9, found '0'", problem(Setting.integer("x", 1, 1, 9), "0"));
    assertEquals(
        "--x: expected integer, 2 or more, found '1'", problem(Setting.integer("x", 2, 2), "1"));
  }

  @Test
  void everyItemOfAListIsChecked() {
    assertEquals(List.of(3, 1), SIZES.parse("--sizes", "3,1"));
    assertEquals("--x: expected integers, 1 or more, found '3,0'", problem(SIZES, "3,0"));
    assertEquals("--x: expected integers, 1 or more, found '3,'", problem(SIZES, "3,"));
  }

  @Test
  void theFirstWordOfAChoiceIsItsDefault() {
    Setting<String> choice = Setting.choice("x", "one", "two");
    assertEquals("one, two; default one", choice.rangeAndDefault());
    assertEquals("--x: expected one, two, found 'three'", problem(choice, "three"));
  }

  @Test
  void aDefaultIsWrittenAsItIsTyped() {
    assertEquals("1,2", SIZES.usual());
    assertEquals("inf", Setting.realOrInfinite("x", Double.POSITIVE_INFINITY).usual());
    assertEquals("a text", Setting.text("x", null).rangeAndDefault());
  }

  @Test
  void aChangedCopyKeepsTheRest() {
    Setting<Double> changed = RATE.implying(0.1).as(Setting.Role.ORDER).mustBeGiven();
    assertEquals(List.of("rate", "lr"), changed.names());
    assertEquals("how fast", changed.help());
    assertEquals("above 0, up to 1; default 0.5", changed.rangeAndDefault());
    assertEquals(0.1, changed.implied());
    assertTrue(changed.required());
  }

  @Test
  void aWrongValueIsNamedWithItsPlace() {
    String where = "file line 3: lr";
    var error = assertThrows(UsageException.class, () -> RATE.parse(where, "2"));
    assertEquals("file line 3: lr: expected above 0, up to 1, found '2'", error.getMessage());
  }

  @Test
  void aParserMayHaveMoreToSay() {
    Setting<String> named =
        Setting.of(
            "init",
            null,
            JsonForm.TEXT,
            text -> {
              throw new UsageException("unknown '" + text + "', did you mean 'normal'?");
            });
    var error = assertThrows(UsageException.class, () -> named.parse("--init", "nrmal"));
    assertEquals("--init: unknown 'nrmal', did you mean 'normal'?", error.getMessage());
    assertNull(named.parse("", "nrmal", new ArrayList<>()));
  }
}
