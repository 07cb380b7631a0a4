package io.github.amb.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.EngineException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AmbTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
  }

  @AfterEach
  void release() {
    System.setOut(out);
    System.setErr(err);
  }

  @Test
  void versionIsThatOfTheBuildAndItsCommit() {
    assertEquals(0, Amb.run(List.of("--version")));
    assertTrue(text().matches("amb \\d+\\.\\d+\\.\\d+\\S* ([0-9a-f]{7,}\\S*|unknown)\n"), text());
  }

  @Test
  void helpListsCommandsInOneStyle() {
    assertEquals(0, Amb.run(List.of("--help")));
    assertTrue(text().contains("\n  train      train a network"), text());
    text()
        .lines()
        .filter(line -> line.startsWith("  ") && !line.contains("--help"))
        .forEach(line -> assertTrue(line.matches("  [a-z]+ +[a-z].*[^.]"), line));
  }

  @Test
  void unknownCommandIsUsageWithTheNearest() {
    assertEquals(Amb.USAGE, Amb.run(List.of("trian")));
    assertTrue(text().startsWith("amb: unknown command 'trian', did you mean 'train'?"), text());
  }

  /** On the virtual cluster it comes from a rank. */
  @Test
  void wantOfMemoryIsNamedWithWhatToDo() {
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    String remedy = "Java heap space; give Java more, as with AMB_OPTIONS=-Xmx4g";
    assertEquals("OutOfMemoryError: " + remedy, Amb.describe(error));
    String rank = Amb.describe(new EngineException("rank 1: Java heap space", error));
    assertEquals("rank 1: " + remedy, rank);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
