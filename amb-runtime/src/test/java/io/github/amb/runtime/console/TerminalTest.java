package io.github.amb.runtime.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static final String CLEAR = "\r\033[2K";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void elsewhereTheFirstAndTheLastStepAreLines() {
    Terminal terminal = new Terminal(out, false);
    terminal.line("step = 1");
    terminal.line("step = 2");
    terminal.line("step = 3");
    terminal.finish();
    assertEquals("step = 1\nstep = 3\n", text());
  }

  @Test
  void onATerminalANewStepReplacesTheOneBefore() {
    Terminal terminal = new Terminal(out, true);
    terminal.line("step = 1");
    terminal.line("step = 2");
    terminal.finish();
    assertEquals(CLEAR + "step = 1" + CLEAR + "step = 2\n", text());
  }

  @Test
  void onATerminalTheLastStepStays() {
    Terminal terminal = new Terminal(out, true);
    terminal.line("step = 1");
    terminal.finish();
    assertEquals(CLEAR + "step = 1\n", text());
  }

  @Test
  void linesThatAreNoStepsAreAlwaysShown() {
    Terminal terminal = new Terminal(out, true);
    terminal.line("a warning");
    terminal.line("another");
    assertEquals(CLEAR + "a warning\n" + CLEAR + "another\n", text());
  }

  @Test
  void aStreamIsCutIntoLines() {
    Terminal terminal = new Terminal(out, false);
    PrintStream stream = terminal.stream();
    stream.print("on");
    stream.print("e — ä\ntw");
    assertEquals("one — ä\n", text());
    stream.println("o");
    assertEquals("one — ä\ntwo\n", text());
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
