package io.github.amb.core.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModels;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "10d",
        "3f",
        "0x1p3",
        "0x10",
        "1_0",
        "\u0661",
        "",
        "1,5",
        "NaN",
        "Infinity",
        "inf",
        "e5",
        ".",
        "+",
        "1e",
        "--1",
        "1.2.3"
      })
  void otherTextsAreNoNumbers(String text) {
    assertFalse(Decimal.is(text));
    assertThrows(NumberFormatException.class, () -> Decimal.real(text));
    assertThrows(NumberFormatException.class, () -> Decimal.single(text));
    assertThrows(NumberFormatException.class, () -> Decimal.whole(text));
    assertNull(Setting.real("rate", null).parse("", text, new ArrayList<>()));
    assertNull(Setting.integer("steps", null, 0).parse("", text, new ArrayList<>()));
    assertThrows(UsageException.class, () -> DelayModels.named(text + "," + "1" + text + ",1"));
  }

  @Test
  void usualFormsAreRead() {
    assertEquals(-1.5, Decimal.real("-1.5"));
    assertEquals(0.5, Decimal.real("+.5"));
    assertEquals(100, Decimal.real("1.E+2"));
    assertEquals(0.1f, Decimal.single("0.1"));
    assertEquals(-7, Decimal.whole("-7"));
    assertEquals(Double.POSITIVE_INFINITY, Decimal.any("Infinity", 0));
    assertTrue(Double.isNaN(Decimal.any("x", Double.NaN)));
  }

  @Test
  void numbersBeyondTheTypeAreRejected() {
    assertThrows(NumberFormatException.class, () -> Decimal.real("1e400"));
    assertThrows(NumberFormatException.class, () -> Decimal.whole("9223372036854775808"));
    assertThrows(NumberFormatException.class, () -> Decimal.integer("2147483648"));
    assertEquals(Integer.MIN_VALUE, Decimal.integer("-2147483648"));
  }
}
