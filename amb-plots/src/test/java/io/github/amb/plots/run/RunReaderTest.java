package io.github.amb.plots.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.ExampleRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReaderTest {
  @TempDir Path folder;

  @Test
  void readsWhatWasWritten() {
    Run run = RunReader.read(new ExampleRun("fmb").write(folder));

    assertEquals(40, run.steps().size());
    assertEquals(8, run.evaluations().size());
    assertEquals(40, run.collections().size());
    assertEquals(80, run.workers().size());
    assertEquals(2, run.workerCount());
    assertEquals("fmb", run.id());
  }

  @Test
  void runGivenTwiceIsReadOnce() {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    RunDirectory again = new RunDirectory(folder.resolve("../" + folder.getFileName() + "/fmb/."));

    assertEquals(1, RunReader.readAll(List.of(run, again)).size());
  }

  @Test
  void workersAreThoseConfiguredWhereSomeHaveNoLog() {
    Run none = RunReader.read(new ExampleRun("none").workers(0).with("workers", 7).write(folder));
    Run some = RunReader.read(new ExampleRun("some").workers(3).with("workers", 7).write(folder));

    assertEquals(7, none.workerCount());
    assertEquals(7, some.workerCount());
  }

  @Test
  void truncatedLastLineIsLeftOut() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    append(run.masterLog(), "{\"type\":\"step\",\"time\":82.0,\"st");

    assertEquals(40, RunReader.read(run).steps().size());
  }

  @Test
  void unreadableLineIsNamed() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    append(run.workerLog(2), "not a record\n");

    String problem = problemOf(run.path());

    assertTrue(problem.contains("worker-2.jsonl line 41"), problem);
    assertTrue(problem.contains("not a record"), problem);
  }

  @Test
  void bytesThatAreNotTextAreNamed() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    Files.write(run.masterLog(), new byte[] {(byte) 0xFF, (byte) 0xFE, '\n'});

    String problem = problemOf(run.path());

    assertTrue(problem.contains("master.jsonl line 1: expected a log record"), problem);
  }

  @Test
  void whatIsNotARunDirectorySaysWhatOneHas() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    Path file = Files.writeString(folder.resolve("file"), "");
    Path noLog = Files.createDirectory(folder.resolve("no-log"));
    Files.copy(run.info(), noLog.resolve("run.json"));

    assertEquals(
        "x: expected a run directory (with run.json and master.jsonl), found nothing of that name",
        problemOf(Path.of("x")));
    assertTrue(problemOf(file).endsWith("found a file"));
    assertTrue(problemOf(noLog).endsWith("found no master.jsonl"));
    assertTrue(problemOf(folder).endsWith("for all runs below it use --data-dir " + folder));
  }

  @Test
  void brokenDescriptionIsNamed() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    for (String json : List.of("", "null", "{", "[]", "{\"format\": \"x\"}", "{}")) {
      Files.writeString(run.info(), json);

      String problem = problemOf(run.path());

      assertTrue(problem.startsWith(run.info().toString()), problem);
      assertTrue(problem.contains(": expected "), problem);
      assertFalse(problem.contains("\n"), problem);
    }
  }

  @Test
  void newerFormatIsRejected() throws IOException {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    Files.writeString(run.info(), "{\"format\": 99}");

    assertTrue(
        problemOf(run.path())
            .contains("expected format " + RunInfo.FORMAT + " or older, found 99"));
  }

  @Test
  void allRunsBelowAFolderAreFoundInOrder() throws IOException {
    new ExampleRun("b").write(folder);
    new ExampleRun("a").write(folder.resolve("deep/er"));
    Files.createDirectories(folder.resolve("plots"));

    List<RunDirectory> runs = RunReader.below(folder);

    assertEquals(
        List.of(folder.resolve("b"), folder.resolve("deep/er/a")),
        runs.stream().map(RunDirectory::path).toList());
    Path none = folder.resolve("plots");
    assertThrows(UsageException.class, () -> RunReader.below(none));
    assertThrows(UsageException.class, () -> RunReader.below(folder.resolve("missing")));
  }

  private static String problemOf(Path run) {
    return assertThrows(UsageException.class, () -> RunReader.read(new RunDirectory(run)))
        .getMessage();
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }
}
