package io.github.amb.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.file.Disk;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.command.FailureText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AmbTest {
  @TempDir Path directory;
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
  void versionNamesBuildAndCommit() {
    assertEquals(0, Amb.run(List.of("--version")));
    assertTrue(text().matches("amb \\d+\\.\\d+\\.\\d+\\S* ([0-9a-f]{7,}\\S*|unknown)\n"), text());
  }

  @Test
  void whereBenchmarksAreNotTheirPlaceIsSaid() {
    assertEquals(ExitCode.USAGE, Amb.run(List.of("bench", "codec")));
    assertEquals(
        "amb: bench: expected as the first word of bin/amb, which alone has the benchmarks\n",
        text());
  }

  @Test
  void helpListsCommandsInOneStyle() {
    assertEquals(0, Amb.run(List.of("--help")));
    assertTrue(text().contains("\n  train      train a network"), text());
    text()
        .lines()
        .filter(line -> line.startsWith("  ") && !line.contains("--"))
        .forEach(line -> assertTrue(line.matches("  [a-z]+ +[a-z].*[^.]"), line));
  }

  @Test
  void unknownCommandIsUsageWithTheNearest() {
    assertEquals(ExitCode.USAGE, Amb.run(List.of("trian")));
    assertTrue(text().startsWith("amb: unknown command 'trian', did you mean 'train'?"), text());
  }

  @Test
  void anOptionOfAnotherCommandIsNamedWithIt() {
    assertEquals(ExitCode.USAGE, Amb.run(List.of("runs", "--learning-rate", "3")));
    assertEquals(
        "amb: unknown option --learning-rate, which belongs to amb train; see --help\n", text());
  }

  @Test
  void aPathThatDoesNotExistIsSaidInWords() {
    IOException missing = new NoSuchFileException("/proc/x");
    assertEquals(
        "/proc/x: expected a file or directory, found none; check the path",
        FailureText.of(missing));
  }

  /** On the virtual cluster it comes from a rank. */
  @Test
  void wantOfMemoryIsNamedWithWhatToDo() {
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    String remedy = "Java heap space; give Java more, as with AMB_OPTIONS=-Xmx4g";
    assertEquals("OutOfMemoryError: " + remedy, FailureText.of(error));
    String rank = FailureText.of(new EngineException("rank 1: Java heap space", error));
    assertEquals("rank 1: " + remedy, rank);
  }

  @Test
  void missingRecordsAreNamedBesidesTheCause() throws IOException {
    Path log = Files.createDirectory(directory.resolve("worker-1.jsonl"));
    RecordLog records =
        new RecordLog(
            new RunDirectory(directory), StandardOpenOption.CREATE_NEW, Disk.REAL, warning -> {});
    records.accept(new WorkerRecord(1, 1, 1, 60, 15, false, -1, -1, -1, 0.4, 0.875, 0.75, 0));
    IOException lost = assertThrows(IOException.class, records::close);
    String counted = ": 1 records could not be written: 1 of %s; make room on the disk";
    String expected = directory + counted.formatted(log.getFileName());
    assertEquals(expected, FailureText.of(lost));
    assertEquals(expected, FailureText.of(new UncheckedIOException(lost)));
    EngineException cause = new EngineException("diverged");
    cause.addSuppressed(lost);
    assertEquals("diverged; " + expected, FailureText.of(cause));
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
