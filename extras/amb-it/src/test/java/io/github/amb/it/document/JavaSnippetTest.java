package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The program in README is the one that ExamplesTest runs. */
class JavaSnippetTest {
  private static final String PROGRAM =
      SourceTree.text(SourceTree.HERE.root().resolve("examples/TenLines.java"));

  @Test
  void readmeShowsTheProgram() {
    String readme = SourceTree.text(SourceTree.HERE.root().resolve("README.md"));
    assertTrue(readme.contains("```java\n" + PROGRAM + "```\n"), PROGRAM);
  }

  @Test
  void theProgramHasTenLines() {
    assertEquals(10, PROGRAM.lines().count());
  }
}
