package io.github.amb.runtime.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.EvaluatorLog;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.lock.RunLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RunsCommandTest {
  @TempDir Path directory;

  @BeforeEach
  void makeRuns() throws IOException {
    run("first", "2026-11-01T10:00:00Z", 0, Map.of("scheme", "fmb", "seed", 1, "tag", "a,b"));
    run("second", "2026-11-02T11:30:00Z", 1, Map.of("scheme", "amb", "seed", 1));
    run("third", "2026-11-03T12:00:00Z", null, Map.of("scheme", "amb", "seed", 2, "tag", "b"));
  }

  private void run(String name, String started, Integer exitCode, Map<String, Object> options)
      throws IOException {
    RunDirectory run = new RunDirectory(Files.createDirectory(directory.resolve(name)));
    RunInfo.Ending ending =
        exitCode == null ? null : new RunInfo.Ending(exitCode, "cause", 2.5, 7, null);
    Map<String, Object> all = new LinkedHashMap<>(options);
    all.put("data-set", "toy");
    run.write(
        new RunInfo(RunInfo.FORMAT, name, started, List.of(), all, 1, Map.of(), Map.of(), ending));
    try (RecordLog log =
        new RecordLog(run, StandardOpenOption.CREATE_NEW, Disk.REAL, warning -> {})) {
      log.accept(new EvaluationRecord(1, 3, 2, 0.5, 10, 0.1));
      log.accept(new StepRecord(2.5, 7, 1, 0.1, 1, 7, 0, 0, 0, 0));
    }
  }

  private List<String> amb(String arguments) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> words = new ArrayList<>(Arrays.asList(arguments.split(" ")));
    words.addAll(List.of("--runs-dir", directory.toString()));
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertEquals(0, new RunsCommand(out, 0).run(words));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> names(String arguments) throws Exception {
    return amb(arguments).stream().skip(2).map(line -> line.replaceFirst(" .*", "")).toList();
  }

  @Test
  void everyRunHasARowWithItsStateAndResult() throws Exception {
    List<String> rows = amb("list");
    assertTrue(
        rows.get(2)
            .matches(
                "first +2026-11-01 10:00 +done +toy +fmb +– +– +1 +7 +2.5 +0.5000 +2.0000 +a,b"),
        rows.get(2));
    assertTrue(rows.get(3).matches("second .* failed .*"), rows.get(3));
    assertTrue(rows.get(4).matches("third .* killed .*"), rows.get(4));
  }

  @Test
  void aFolderAfterListIsRejected() {
    var e = assertThrows(UsageException.class, () -> amb("list runs/old"));
    assertEquals(
        "expected no word after list, found runs/old; name a folder with --runs-dir",
        e.getMessage());
  }

  @Test
  void aTestByASeparateEvaluatorIsShown() throws Exception {
    try (EvaluatorLog log = new EvaluatorLog(new RunDirectory(directory.resolve("first")))) {
      log.append(new EvaluationRecord(2, 5, 2, 0.75, 10, 0.1));
    }
    assertTrue(amb("list").get(2).contains(" 0.7500 "), amb("list").get(2));
  }

  @Test
  void anUnreadableRunHidesNoOtherRun() throws Exception {
    byte[] tooLong = new byte[DataLimits.RUN_JSON_BYTES + 1];
    Files.write(directory.resolve("second/run.json"), tooLong);
    assertEquals(List.of("first", "third", "second"), names("list"));
    assertEquals(List.of("second"), names("list --filter unreadable"));
  }

  @Test
  void whatAResumedRunHasReplacedIsNoRun() throws Exception {
    for (String name : List.of("first/superseded/1", "superseded/1")) {
      Path run = directory.resolve(name);
      Files.createDirectories(run);
      Files.copy(directory.resolve("third/run.json"), run.resolve("run.json"));
    }
    assertEquals(List.of("first", "second", "1", "third"), names("list"));
  }

  @Test
  void aRunIsListedUpToThreeFoldersBelow() throws Exception {
    for (String name : List.of("a/b/third", "a/b/c/fourth")) {
      Path run = directory.resolve(name);
      Files.createDirectories(run);
      Files.copy(directory.resolve("first/run.json"), run.resolve("run.json"));
    }
    assertEquals(List.of("first", "third", "second", "third"), names("list"));
  }

  @Test
  void runsAreFoundByNameTagStateAndOption() throws Exception {
    assertEquals(List.of("first", "third"), names("list --filter b"));
    assertEquals(List.of("third"), names("list --filter b scheme=amb"));
    assertEquals(List.of("second"), names("list --filter failed"));
    assertEquals(List.of("first", "third"), names("list --filter ir"));
    assertEquals(List.of("first", "third"), names("list --filter tag=b"));
    assertEquals(List.of("first"), names("list --filter tag=a"));
    assertThrows(UsageException.class, () -> names("list --filter sceme=amb"));
  }

  @Test
  void runsAreSortedByAColumn() throws Exception {
    assertEquals(List.of("third", "second", "first"), names("list --reverse"));
    assertEquals(List.of("second", "third", "first"), names("list --sort scheme"));
    assertThrows(UsageException.class, () -> names("list --sort shceme"));
  }

  @Test
  void runsWithoutAValueAreLastInReverseToo() throws Exception {
    Files.delete(new RunDirectory(directory.resolve("third")).masterLog());
    assertEquals("third", names("list --sort accuracy").get(2));
    assertEquals("third", names("list --sort accuracy --reverse").get(2));
  }

  @Test
  void programsGetJson() throws Exception {
    JsonNode runs = new ObjectMapper().readTree(String.join("\n", amb("list --format json")));
    assertEquals(3, runs.size());
    assertEquals("first", runs.get(0).get("run").asText());
  }

  @Test
  void aComparisonHasOnlyWhatDiffers() throws Exception {
    List<String> rows = amb("compare first second");
    assertTrue(rows.get(0).matches(" +first +second"), rows.get(0));
    assertTrue(rows.get(1).matches("--scheme +fmb +amb"), rows.get(1));
    assertTrue(rows.get(2).matches("--tag +a,b +–"), rows.get(2));
    assertTrue(rows.get(3).matches("state +done +failed"), rows.get(3));
    assertFalse(String.join("", rows).contains("data-set"), rows.toString());
  }

  @Test
  void nothingIsRemovedWithoutYes() throws Exception {
    UsageException e = assertThrows(UsageException.class, () -> amb("remove first"));
    assertTrue(e.getMessage().contains("expected --yes"), e.getMessage());
    assertTrue(Files.exists(directory.resolve("first")));
    assertEquals(List.of("removed " + directory.resolve("first")), amb("remove first --yes"));
    assertFalse(Files.exists(directory.resolve("first")));
  }

  @Test
  void aRunThatTrainsIsNeitherRemovedNorArchived() throws Exception {
    try (RunLock lock = RunLock.training(new RunDirectory(directory.resolve("third")))) {
      assertTrue(amb("list").get(4).contains(" training "), amb("list").get(4));
      assertKept(lock.run());
    }
  }

  /** Of the name {@code third}. */
  private void assertKept(RunDirectory run) {
    assertThrows(UsageException.class, () -> amb("remove third --yes"));
    assertThrows(
        UsageException.class, () -> amb("archive third --out " + directory.resolve("zip")));
    assertTrue(Files.exists(run.info()));
  }

  @Test
  void whatIsNoRunIsNotTouched() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    assertThrows(UsageException.class, () -> amb("remove other first --yes"));
    assertTrue(Files.exists(other));
    assertTrue(Files.exists(directory.resolve("first")));
  }

  @Test
  void anArchiveHasEveryFileAndTakesTheRunsPlace() throws Exception {
    byte[] log = Files.readAllBytes(directory.resolve("first/master.jsonl"));
    Path folder = directory.resolve("zip");
    assertEquals(
        List.of(folder.resolve("first.zip").toString()), amb("archive first --out " + folder));
    assertFalse(Files.exists(directory.resolve("first")));
    try (ZipFile zip = new ZipFile(folder.resolve("first.zip").toFile())) {
      assertEquals(
          List.of("first/master.jsonl", "first/run.json"),
          zip.stream().map(Object::toString).toList());
      assertEquals(
          new String(log, StandardCharsets.UTF_8),
          new String(
              zip.getInputStream(zip.getEntry("first/master.jsonl")).readAllBytes(),
              StandardCharsets.UTF_8));
    }
  }

  private UsageException rejected(String arguments) {
    return assertThrows(UsageException.class, () -> amb(arguments));
  }

  @Test
  void anArchiveIsNotMadeInsideItsRun() throws Exception {
    Path run = directory.resolve("first");
    Path link = Files.createSymbolicLink(directory.resolve("link"), run);
    for (Path folder : List.of(run, run.resolve("a/b"), link.resolve("a"))) {
      UsageException e = rejected("archive first --out " + folder);
      assertTrue(e.getMessage().contains("--out: expected a folder outside the run"));
    }
    assertTrue(Files.exists(run.resolve("run.json")));
    assertFalse(Files.exists(run.resolve("a")));
  }

  @Test
  void aLinkIsNeitherRemovedNorArchived() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("first"));
    String expected = link + ": expected a run's own directory, found a symbolic link; name ";
    for (String arguments :
        List.of("remove link --yes", "archive link --out " + directory.resolve("zip"))) {
      UsageException e = rejected(arguments);
      assertEquals(expected + directory.resolve("first").toRealPath(), e.getMessage());
    }
    assertTrue(Files.isSymbolicLink(link));
    assertFalse(Files.exists(directory.resolve("zip")));
  }

  @Test
  void aRunUnderEvaluationIsKept() throws Exception {
    RunDirectory run = new RunDirectory(directory.resolve("third"));
    try (RunLock lock = RunLock.evaluating(run, Duration.ZERO)) {
      assertKept(lock.run());
    }
  }

  @Test
  void anArchiveHasHiddenFilesButNotTheLocks() throws Exception {
    RunDirectory run = new RunDirectory(directory.resolve("first"));
    Files.writeString(run.path().resolve(".notes"), "mine");
    RunLock.training(run).close();
    RunLock.evaluating(run, Duration.ZERO).close();
    Path folder = directory.resolve("zip");
    amb("archive first --out " + folder);
    try (ZipFile zip = new ZipFile(folder.resolve("first.zip").toFile())) {
      assertEquals(
          List.of("first/.notes", "first/master.jsonl", "first/run.json"),
          zip.stream().map(Object::toString).toList());
    }
  }

  @Test
  void linksInARunAreNamedAndNothingIsPacked() throws Exception {
    Path plots = Files.createDirectory(directory.resolve("first/plots"));
    Path one = Files.createSymbolicLink(plots.resolve("one"), directory.resolve("second"));
    Path two = Files.createSymbolicLink(plots.resolve("two"), directory.resolve("nothing"));
    Path folder = directory.resolve("zip");
    UsageException e = rejected("archive first --out " + folder);
    for (Path link : List.of(one, two)) {
      assertTrue(e.getMessage().contains(link + ": expected a plain file"), e.getMessage());
    }
    assertTrue(Files.exists(directory.resolve("first/run.json")));
    assertFalse(Files.exists(folder.resolve("first.zip")));
  }

  @Test
  void anArchiveWithOtherContentIsNoticed() throws Exception {
    RunDirectory run = new RunDirectory(directory.resolve("first"));
    Path zip = directory.resolve("first.zip");
    List<Path> files = List.of(run.masterLog(), run.info());
    RunFiles.pack(run, files, zip);
    RunFiles.check(run, files, zip);
    Files.writeString(run.info(), Files.readString(run.info()).replace("toy", "set"));
    IOException e = assertThrows(IOException.class, () -> RunFiles.check(run, files, zip));
    assertTrue(e.getMessage().contains("first/run.json"), e.getMessage());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFailedArchiveLeavesTheRun() {
    assertThrows(IOException.class, () -> amb("archive first --out /proc/self"));
    assertTrue(Files.exists(directory.resolve("first/run.json")));
  }
}
