package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a terminal shows, which {@code script} of util-linux stands in for, and what a pipe gets.
 */
@EnabledOnOs(OS.LINUX)
@Tag("lab")
class ScreenTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  /** After a carriage return, which the reader of the process takes for the end of a line. */
  private static final String CLEAR = "\033[2K";

  private static final String TRAINING =
      "train toy fmb rms 16 --workers 1 --last-step 20 --evaluate last --name screen";

  @TempDir Path directory;

  private String shown(int columns, String command) throws Exception {
    assumeTrue(Files.isExecutable(SCRIPT), "there is no " + SCRIPT);
    String words =
        AmbProcess.line(command).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    Path file = directory.resolve("command.sh");
    Files.writeString(file, "stty cols " + columns + "\nunset COLUMNS\nexec " + words + "\n");
    String line = "TERM=xterm script -qec 'bash command.sh' /dev/null < /dev/null";
    try (AmbProcess shell = AmbProcess.start(directory, List.of("bash", "-c", line))) {
      shell.awaitEnd(AmbProcess.LIMIT);
      assertEquals(0, shell.exitCode(), shell.everythingSaid());
      return String.join("\n", shell.stdout());
    }
  }

  private static String plain(String text) {
    return text.replaceAll("\033\\[\\d*[mK]", "").strip();
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 200})
  void aStatusLineFitsTheTerminal(int columns) throws Exception {
    String shown = shown(columns, TRAINING);
    List<String> drawn =
        shown.lines().filter(line -> line.startsWith(CLEAR)).map(ScreenTest::plain).toList();
    assertFalse(drawn.isEmpty(), shown);
    assertTrue(drawn.get(drawn.size() - 1).contains("step 20"), shown);
    drawn.forEach(line -> assertTrue(line.length() < columns, line));
  }

  @Test
  void aTableFitsTheTerminal() throws Exception {
    shown(80, TRAINING);
    for (int columns : new int[] {80, 100, 200}) {
      shown(columns, "runs")
          .lines()
          .forEach(line -> assertTrue(plain(line).length() <= columns, line));
    }
  }

  @Test
  void aPipeGetsNoEscapeCodes() throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, AmbProcess.line(TRAINING))) {
      amb.awaitEnd(AmbProcess.LIMIT);
      assertEquals(0, amb.exitCode(), amb.everythingSaid());
      assertFalse(amb.everythingSaid().contains("\033"), amb.everythingSaid());
    }
  }
}
