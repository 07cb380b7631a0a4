package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ClassCallsTest {
  private static final String OWNER = "java/lang/StringBuilder";
  private static final String NAME = "reverse";
  private static final String DESCRIPTOR = "()Ljava/lang/StringBuilder;";

  /** Whose call is redirected. */
  public static final class Caller implements Supplier<String> {
    @Override
    public String get() {
      return new StringBuilder("abc").reverse().append('d').toString();
    }
  }

  /** What is called in place of the builder. */
  public static final class Target {
    private Target() {}

    /** In place of the builder's method. */
    public static StringBuilder reverse(StringBuilder builder) {
      return builder.append(builder.length());
    }
  }

  private static byte[] redirect(byte[] file, String name) throws IOException {
    return ClassCalls.redirect(
        file, OWNER, name, DESCRIPTOR, Target.class.getName().replace('.', '/'));
  }

  private static byte[] caller() throws IOException {
    try (InputStream in = Caller.class.getResourceAsStream("ClassCallsTest$Caller.class")) {
      return in.readAllBytes();
    }
  }

  @Test
  void theStaticMethodIsCalledWithTheObject() throws Exception {
    byte[] changed = redirect(caller(), NAME);
    ClassLoader loader =
        new ClassLoader(ClassCallsTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Caller.class.getName())
                ? defineClass(name, changed, 0, changed.length)
                : super.loadClass(name, resolve);
          }
        };
    Object caller = loader.loadClass(Caller.class.getName()).getDeclaredConstructor().newInstance();
    assertEquals("abc3d", ((Supplier<?>) caller).get());
    assertEquals("cbad", new Caller().get());
  }

  @Test
  void anotherClassIsRefused() throws IOException {
    byte[] file = caller();
    assertThrows(IOException.class, () -> redirect(file, "forward"));
    assertThrows(IOException.class, () -> redirect(Arrays.copyOf(file, 200), NAME));
    assertThrows(IOException.class, () -> redirect(new byte[3], NAME));
  }
}
