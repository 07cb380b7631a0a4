package io.github.amb.runtime.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.ExampleRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummarizeCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void targetMayBeGivenWithUnderscores() throws Exception {
    String run = new ExampleRun("fmb").write(folder).path().toString();

    assertEquals(0, command().run(List.of(run, "--target_accuracy", "0.85")));

    assertTrue(out.toString(UTF_8).contains("Time to 0.85: "), out.toString(UTF_8));
  }

  @Test
  void whatLiesBesideRunsIsLeftOut() throws Exception {
    String run = new ExampleRun("fmb").write(folder).path().toString();
    Path lock = Files.createFile(folder.resolve("experiment.lock"));
    Path logs = Files.createDirectories(folder.resolve("logs"));

    assertEquals(0, command().run(List.of(lock.toString(), run, logs.toString())));
    assertThrows(UsageException.class, () -> command().run(List.of(lock.toString())));
  }

  @Test
  void formatsAreOffered() throws Exception {
    new ExampleRun("fmb").write(folder);
    new ExampleRun("amb").write(folder);

    command().run(List.of("--data-dir", folder.toString(), "--format", "csv"));

    assertEquals(3, out.toString(UTF_8).lines().count());

    command()
        .run(
            List.of(
                "--data-dir", folder.toString(), "--format", "latex", "--columns", "time,idle"));
    String latex = out.toString(UTF_8);
    assertTrue(latex.contains("run & time (s) & idle (\\%) \\\\\n"), latex);
  }

  @Test
  void wrongArgumentsAreExplained() {
    String run = new ExampleRun("fmb").write(folder).path().toString();

    assertEquals(
        "--format: unknown format 'jason', did you mean 'json'?",
        problem(run, "--format", "jason"));
    assertEquals(
        "--target-accuracy: expected a share above 0, at most 1, found 90.0",
        problem(run, "--target-accuracy", "90"));
    assertEquals(
        "--target-accuracy: expected a number above 0, found 'x'",
        problem(run, "--target-accuracy", "x"));
    assertEquals(
        "unknown option --tagret-accuracy, did you mean '--target-accuracy'?",
        problem(run, "--tagret-accuracy", "0.9"));
  }

  /** A terminal obeys what is written below, also to 8-bit controls. */
  @Test
  void escapesOfARunDoNotReachTheTerminal() throws Exception {
    String evil = "\u001b]0;owned\u0007\u009b2J\r\u202e";
    Path odd = new ExampleRun("fmb").id("odd").with("update-rule", evil).write(folder).path();
    Files.writeString(
        odd.resolve("run.json"),
        Files.readString(odd.resolve("run.json")).replace("\"odd\"", "\"\\u001b[31m=1+1\""));
    new ExampleRun("amb").write(folder);
    for (String format : List.of("table", "csv", "json", "latex")) {
      command().run(List.of("--data-dir", folder.toString(), "--format", format));
    }
    String text = out.toString(UTF_8);
    assertTrue(text.contains("owned"), text);
    assertTrue(text.codePoints().noneMatch(c -> c != '\n' && Character.isISOControl(c)), text);
    assertTrue(text.indexOf('\u202e') < 0, text);
  }

  private String problem(String... arguments) {
    return assertThrows(UsageException.class, () -> command().run(List.of(arguments))).getMessage();
  }

  private SummarizeCommand command() {
    return new SummarizeCommand(new PrintStream(out, true, UTF_8), 0);
  }
}
