package io.github.amb.runtime.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.ExampleRun;
import io.github.amb.runtime.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private Path run;
  private Path page;
  private Path victim;

  @BeforeEach
  void writeRun() throws IOException {
    run = new ExampleRun("fmb").steps(3).evaluateEvery(1).write(folder).path();
    page = run.resolve("plots/report.html");
    victim = Files.writeString(folder.resolve("victim"), "mine");
  }

  private Command command() {
    return new ReportCommand().printingTo(new PrintStream(out, true, UTF_8), System.err);
  }

  private String problem(Command command, String... arguments) {
    return assertThrows(UsageException.class, () -> command.run(List.of(arguments))).getMessage();
  }

  @Test
  void thePageGoesIntoTheRunsPlots() throws Exception {
    assertEquals(0, command().run(List.of(run.toString())));
    assertTrue(Files.readString(page).contains("<h1>"));
    assertEquals(page + "\n", out.toString(UTF_8));
  }

  @Test
  void aLinkInTheRunIsNotFollowed() throws IOException {
    Files.createDirectories(page.getParent());
    Files.createSymbolicLink(page, victim);
    String problem = problem(command(), run.toString());
    assertTrue(problem.startsWith(page + ": expected a plain file or nothing, found a symbolic"));
    assertEquals("mine", Files.readString(victim));
  }

  @Test
  void aLinkedFolderInTheRunIsNotFollowed() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(run.resolve("plots"), elsewhere);
    for (Command command : List.of(command(), new PlotCommand())) {
      String problem = problem(command, run.toString());
      assertTrue(problem.startsWith(run.resolve("plots") + ": expected a folder or nothing"));
    }
    try (var files = Files.list(elsewhere)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void aLinkToAFigureIsNotFollowed() throws IOException {
    Path figure = run.resolve("plots/accuracy_vs_time-fmb.svg");
    Files.createDirectories(figure.getParent());
    Files.createSymbolicLink(figure, victim);
    String problem = problem(new PlotCommand(), run.toString(), "--type", "accuracy_vs_time");
    assertTrue(problem.startsWith(figure + ": expected a plain file or nothing"), problem);
    assertEquals("mine", Files.readString(victim));
  }

  @Test
  void theUsersOwnFileMayBeALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("latest.html"), victim);
    command().run(List.of(run.toString(), "--out", link.toString()));
    assertTrue(Files.readString(victim).contains("<h1>"));
    assertFalse(Files.exists(page));
  }

  @Test
  void aFolderIsNoFile() {
    assertEquals(
        "--out: expected a file, found the folder " + folder,
        problem(command(), run.toString(), "--out", folder.toString()));
  }
}
