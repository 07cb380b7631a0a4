package io.github.amb.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of {@code docs/reference} that is made from the texts of the program. */
public final class ReferencePage {
  private ReferencePage() {}

  /** Asserts that a file has a text; {@code scripts/reference} writes the text instead. */
  public static void check(String name, String text) throws IOException {
    Path file = Path.of("../docs/reference", name);
    if (Boolean.getBoolean("amb.reference")) {
      Files.writeString(file, text);
    }
    assertEquals(text, Files.readString(file), "run scripts/reference");
  }
}
