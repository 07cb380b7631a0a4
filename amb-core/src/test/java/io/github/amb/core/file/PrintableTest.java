package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PrintableTest {

  @Test
  void escapesOfTerminalsAreShown() {
    assertEquals(
        "a\\x1b[2Jb\\x9bc\\x0d\\x07\\x7f", Printable.printable("a\u001b[2Jb\u009bc\r\u0007\u007f"));
  }

  @Test
  void linesTabsAndLettersStay() {
    assertEquals("Zoë\t日本\n😀", Printable.printable("Zoë\t日本\n😀"));
  }

  @Test
  void textThatIsReorderedIsShown() {
    assertEquals("a\\u202eb\\ud800", Printable.printable("a\u202eb\ud800"));
  }

  @Test
  void aValueInAMessageIsOneLine() {
    assertEquals("a b", Printable.shown("a\nb"));
  }

  @Property
  void noControlCharacterIsLeft(@ForAll String text) {
    String line = Printable.printable(text).replace("\n", "").replace("\t", "");

    assertTrue(line.codePoints().noneMatch(Character::isISOControl));
  }
}
