package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ClassConstantsTest {
  private static byte[] someClass() throws IOException {
    try (InputStream in = ClassConstants.class.getResourceAsStream("ClassConstants.class")) {
      return in.readAllBytes();
    }
  }

  @Test
  void aNameIsReplacedAndCanBeReplacedBack() throws IOException {
    byte[] original = someClass();
    byte[] changed = ClassConstants.replace(original, "java/io/DataInputStream", "x/Y");
    assertArrayEquals(original, ClassConstants.replace(changed, "x/Y", "java/io/DataInputStream"));
    assertThrows(IOException.class, () -> ClassConstants.replace(original, "x/Y", "z"));
  }

  @Property(tries = 200)
  void otherBytesAreRefused(@ForAll byte[] bytes, @ForAll int cut) throws IOException {
    assertThrows(IOException.class, () -> ClassConstants.replace(bytes, "a", "b"));
    byte[] whole = someClass();
    byte[] part = Arrays.copyOf(whole, Math.floorMod(cut, 300));
    assertThrows(IOException.class, () -> ClassConstants.replace(part, "x/Y", "b"));
  }
}
