package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input gives one line per problem, exit code 2, no process, and no run directory. */
@Tag("system")
class BadInputTest {
  @TempDir Path directory;

  @Test
  void valuesOutOfRange() throws Exception {
    assertRejected(
        "train toy fmb rms 0 --workers -1",
        "batch size: expected integer, 1 or more, found '0'",
        "--workers: expected 0 to 10000, found '-1'");
  }

  @Test
  void theSitesMpiWhereTheProgramWasBuiltWithoutIt() throws Exception {
    assertRejected(
        "train toy fmb rms 16 --engine openmpi",
        "--engine openmpi: expected a program built with the site's MPI, found none; install g++ and"
            + " libopenmpi-dev (or libmpich-dev) and build it with scripts/build -Popenmpi"
            + " (docs/how-to/run-on-the-sites-mpi.md)");
  }

  @Test
  void aRunDirectoryThatExists() throws Exception {
    Path taken = Files.createDirectory(directory.resolve("taken"));
    Files.writeString(taken.resolve("mine"), "x");
    assertRejected(
        "train toy fmb rms 16 --run-directory " + taken,
        "--run-directory: expected a new directory, found the existing " + taken);
    assertEquals("x", Files.readString(taken.resolve("mine")));
    assertTrue(!Files.exists(taken.resolve("run.json")));
  }

  private void assertRejected(String command, String... problems) throws Exception {
    assertEquals(
        List.of(problems).stream().map(problem -> "amb: " + problem).toList(), rejected(command));
  }

  /** What the program prints on standard error. */
  private List<String> rejected(String command) throws Exception {
    Path home = directory.resolve("home");
    AmbProcess amb = AmbProcess.run(home, command);
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertEquals(List.of(), amb.stdout());
    assertEquals(0, amb.startedProcesses());
    try (var files = Files.list(home)) {
      assertEquals(
          List.of("stderr", "stdout"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    return amb.stderr();
  }
}
