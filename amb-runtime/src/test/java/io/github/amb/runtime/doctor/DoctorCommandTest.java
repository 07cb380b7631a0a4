package io.github.amb.runtime.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private int run(String... arguments) throws IOException {
    return new DoctorCommand(new PrintStream(bytes, true, StandardCharsets.UTF_8))
        .run(Arrays.asList(arguments));
  }

  private String line(String subject) {
    return bytes
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.matches("(ok|warning|failed) +" + subject + " .*"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line of " + subject + " in " + bytes));
  }

  @Test
  void thisMachineCanRunWhatTheTestsRun() throws IOException {
    assertEquals(0, run("toy"), bytes.toString());
    for (String subject : List.of("java", "natives", "ports", "data")) {
      assertTrue(line(subject).startsWith("ok"), line(subject));
    }
    for (String subject : List.of("mpj", "cores", "memory", "fonts", "host", "disk")) {
      line(subject);
    }
  }

  @Test
  void moreRanksThanCoresAreWarnedOf() throws IOException {
    run("--workers", "999");
    assertTrue(line("cores").startsWith("warning  cores"), line("cores"));
    assertTrue(line("memory").contains("fewer --workers"), line("memory"));
  }

  @Test
  void missingDataFailWithTheRemedy(@TempDir Path directory) throws IOException {
    assertEquals(1, run("mnist", "--data-dir", directory.toString()));
    assertTrue(line("data").startsWith("failed"), line("data"));
    assertTrue(line("data").endsWith("amb data fetch mnist --data-dir DIR"), line("data"));
  }

  @Test
  void badUsageIsNamed() {
    assertThrows(UsageException.class, () -> run("--workers", "x"));
    assertThrows(UsageException.class, () -> run("--nothing"));
  }
}
